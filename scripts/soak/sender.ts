import { setTimeout as pause } from 'node:timers/promises'

/** What is not set up here says so, which is what a 503 is for: nothing else may. */
const NOT_SET_UP =
  /^\{"detail":"(no EDR is connected|no mail server is connected|a PDF is printed by Chromium|response rules )/
/** Longer than anybody waits, also on a machine that others use. */
const ANSWER_MS = 180_000
/** Longer ago it is no cause of a stall that is told now. */
const KEPT = 200

export type Sender = ReturnType<typeof createSender>

type Sent = { name: string; from: number; until: number }

/** Sends to the service under test, and keeps what came back that should not have. */
export function createSender(base: string, headers: Record<string, string>) {
  const faults = new Set<string>()
  const statuses = new Map<number, number>()
  const recent: Sent[] = []
  const reached = new Map<string, Map<string, number>>()
  let sent = 0

  async function send(method: string, url: string, init: RequestInit = {}): Promise<Response> {
    sent += 1
    const one: Sent = { name: `${method} ${url.slice(0, 80)}`, from: Date.now(), until: Infinity }
    recent.push(one)
    if (recent.length > KEPT) recent.shift()
    try {
      // Not as a URL within a URL: `//name` would be another host.
      const reply = await fetch(base + url, {
        ...init,
        method,
        headers: { ...headers, ...init.headers },
        signal: init.signal ?? AbortSignal.timeout(ANSWER_MS),
      })
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      return reply
    } finally {
      one.until = Date.now()
    }
  }

  return {
    faults,
    statuses,
    send,
    sentCount: () => sent,
    countSent: (more: number) => {
      sent += more
    },
    /** The answer is read and judged. */
    async ask(method: string, url: string, init: RequestInit = {}): Promise<void> {
      try {
        const reply = await send(method, url, init)
        const text = await beginningOf(reply)
        if (reply.status < 500 || (reply.status === 503 && NOT_SET_UP.test(text))) return
        faults.add(`${reply.status} ${method} ${url.slice(0, 120)} ${text.slice(0, 120)}`)
      } catch (error) {
        faults.add(`no answer: ${method} ${url.slice(0, 120)} ${error}`)
      }
    },
    /** The caller goes at this moment, whatever has come by then. */
    async leave(method: string, url: string, afterMs: number): Promise<void> {
      const leaving = AbortSignal.timeout(afterMs)
      try {
        const reply = await send(method, url, { signal: leaving })
        const text = await beginningOf(reply)
        if (reply.status >= 500) faults.add(`${reply.status} ${method} ${url} ${text}`)
      } catch (error) {
        if (!leaving.aborted) faults.add(`no answer: ${method} ${url} ${error}`)
      }
    },
    /** For an answer that has no end: its beginning is judged, then the caller leaves. */
    async askAndLeave(method: string, url: string, init: RequestInit = {}): Promise<void> {
      const leaving = new AbortController()
      try {
        const reply = await send(method, url, { ...init, signal: leaving.signal })
        if (reply.status >= 500) faults.add(`${reply.status} ${method} ${url.slice(0, 120)}`)
        await pause(100)
      } catch (error) {
        faults.add(`no answer: ${method} ${url.slice(0, 120)} ${error}`)
      } finally {
        leaving.abort()
      }
    },
    /** One more try of what the run has to reach, by its kind. */
    reach(kind: string, name: string, more = 1) {
      const names = reached.get(kind) ?? new Map<string, number>()
      reached.set(kind, names.set(name, (names.get(name) ?? 0) + more))
    },
    reached: (): ReadonlyMap<string, ReadonlyMap<string, number>> => reached,
    /** What was under way at some time, so that a stall can be looked into. */
    underWay: (from: number, until: number) =>
      recent.filter((one) => one.from <= until && one.until >= from).map(({ name }) => name),
  }
}

/** Several at once, until the list or the time is over. */
export async function inParallel<T>(
  all: Iterable<T>,
  ends: number,
  work: (one: T) => Promise<void>,
  lanes = 4,
): Promise<void> {
  const items = all[Symbol.iterator]()
  const worker = async () => {
    for (let next = items.next(); !next.done && Date.now() < ends; next = items.next()) {
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: lanes }, worker))
}

/** One of each kind, whatever the time; then the others, until it is over. */
export async function inParallelByKind<T extends { kind: string }>(
  all: T[],
  ends: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const first = new Map(all.map((one) => [one.kind, one]))
  await inParallel(first.values(), Number.POSITIVE_INFINITY, work)
  const taken = new Set(first.values())
  await inParallel(
    all.filter((one) => !taken.has(one)),
    ends,
    work,
  )
}

export const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)

const MOST_KEPT = 64 * 1024

/** All of it is read, but an export may be longer than any text: only the beginning is kept. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body ?? []) {
    if (text.length < MOST_KEPT) text += decoder.decode(part, { stream: true })
  }
  return text
}
