import { signal } from '@preact/signals'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { type Api, Refused } from './api.ts'

export type Read<Reply> = {
  data: Reply | undefined
  error: unknown
  isLoading: boolean
  /** When the data was read: it stays while a newer answer fails or is on its way. */
  readAt: number
}

export type ReadOptions = {
  /** Topics of live events that make it stale: `alert`, `case`. */
  on?: readonly string[]
  /** Only of events that name this id: those of other records change nothing about it. */
  about?: string
  /** And of those that name a record of the list that was answered. */
  orListed?: boolean
  /** Read anew so often while somebody looks, where no event tells of changes. */
  everyMs?: number
  /** What it is already known to answer now: then it need not be asked for at first. */
  known?: unknown
  /** For so long it is not asked for again by who looks at it anew. */
  freshMs?: number
}

/** Events come in storms; an answer is read anew at most so often. */
const LEAST_BETWEEN_MS = 5_000
/** While somebody asks for much: the service answers so many questions of one person a minute. */
const LEAST_WHILE_BUSY_MS = 15_000

/** A refusal stays one; what failed on the way, or in the service, may not. */
const isFinal = (error: unknown) => error instanceof Refused && error.status < 500

/** Answers of the service, kept by their path, shared by all who read them, stale by live events. */
export function createReads(deps: {
  api: Pick<Api, 'get'>
  after(ms: number, then: () => void): void
  now(): number
  isSeen?(): boolean
  isBusy?(): boolean
}) {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // A browser on a network without internet says it is offline; the service is on that network.
        networkMode: 'always',
        staleTime: 30_000,
        gcTime: 300_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // A refusal stays one; a service that was away for a moment does not.
        retry: (count, error) => count < 2 && !(error instanceof Refused),
      },
    },
  })
  const listeners = new Map<string, Map<string, Pick<ReadOptions, 'about' | 'orListed'>>>()
  const due = new Set<string>()

  function renewSoon(path: string) {
    if (due.has(path)) return
    due.add(path)
    const readAt = client.getQueryState([path])?.dataUpdatedAt ?? 0
    const least = deps.isBusy?.() ? LEAST_WHILE_BUSY_MS : LEAST_BETWEEN_MS
    deps.after(Math.max(300, least - (deps.now() - readAt)), () => {
      due.delete(path)
      void client.invalidateQueries({ queryKey: [path], exact: true })
    })
  }

  function isAbout(path: string, { about = '', orListed }: ReadOptions, told: string) {
    if (told.includes(about)) return true
    const list = client.getQueryData<{ items?: { id: string }[] }>([path])
    return Boolean(orListed && list?.items?.some(({ id }) => told.includes(id)))
  }

  return {
    /** What is known, and what becomes known, until `leave` is called. */
    watch<Reply>(path: string, { on = [], everyMs, ...more }: ReadOptions = {}) {
      const read = signal<Read<Reply>>({ data: undefined, error: null, isLoading: true, readAt: 0 })
      const observer = new QueryObserver<Reply>(client, {
        queryKey: [path],
        queryFn: ({ signal: stop }) => deps.api.get<Reply>(path, stop),
        ...(more.known === undefined ? {} : { initialData: more.known as Reply }),
        ...(more.freshMs === undefined ? {} : { staleTime: more.freshMs }),
      })
      const show = (result: ReturnType<typeof observer.getCurrentResult>) => {
        const { data, error, isPending, dataUpdatedAt: readAt } = result
        read.value = { data, error, isLoading: isPending, readAt }
      }
      for (const topic of on) {
        const paths = listeners.get(topic) ?? new Map()
        listeners.set(topic, paths.set(path, more))
      }
      show(observer.getCurrentResult())
      let isLeft = false
      function renewAgain(ms: number) {
        deps.after(ms, () => {
          if (isLeft) return
          if (deps.isSeen?.() ?? true) void observer.refetch()
          renewAgain(ms)
        })
      }
      if (everyMs !== undefined) renewAgain(everyMs)
      const unsubscribe = observer.subscribe(show)
      const leave = () => {
        isLeft = true
        unsubscribe()
      }
      return { read, leave, again: () => void observer.refetch() }
    },
    /** A live event: what it is about is read anew where it is looked at. */
    hear(topic: string, told = '') {
      for (const [path, which] of listeners.get(topic) ?? []) {
        if (!isAbout(path, which, told)) continue
        const isWatched = client
          .getQueryCache()
          .find({ queryKey: [path] })
          ?.isActive()
        if (isWatched) renewSoon(path)
        else {
          client.removeQueries({ queryKey: [path], exact: true })
          // A shift opens thousands of records: nobody waits for word of those any more.
          listeners.get(topic)?.delete(path)
        }
      }
    },
    /** Changed by what was done, and looked at by the way: read anew as after a live event. */
    soon(...paths: string[]) {
      for (const path of paths) renewSoon(path)
    },
    /** After a change of one's own: every answer that begins so is read anew at once. */
    renew: (...starts: string[]) =>
      client.invalidateQueries({
        predicate: ({ queryKey: [path] }) => starts.some((start) => String(path).startsWith(start)),
      }),
    /** What a change has answered is what would be read now. */
    put: (path: string, data: unknown) => void client.setQueryData([path], data),
    /** This answer alone, at once. */
    renewOne: (path: string) => client.invalidateQueries({ queryKey: [path], exact: true }),
    /** The service answers: what it could not answer is asked again where it is looked at. */
    renewFailed() {
      void client.invalidateQueries({
        predicate: ({ state: { status, error } }) => status === 'error' && !isFinal(error),
      })
    },
    /** Everything may have changed: the database is back, or events were missed. */
    renewAll: () => client.invalidateQueries(),
    once: <Reply>(path: string) =>
      client.fetchQuery({ queryKey: [path], queryFn: () => deps.api.get<Reply>(path) }),
  }
}
