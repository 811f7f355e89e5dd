import type { Alert, AlertBulkResult, AlertStatus } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { signal } from '@preact/signals'
import type { LiveEvent } from '../../here.ts'
import { type Api, withQuery } from '../../stores/api.ts'
import { createLongList } from '../../stores/long-list.ts'
import { NONE, type Selection } from './selection.ts'
import { fits } from './view.ts'

/** The alerts of one filter: rows, selection, and changes that can be undone. */
export function createQueue(
  api: Pick<Api, 'get' | 'post'>,
  filter: Record<string, string>,
  now: () => number,
) {
  /** By the clock of the service, as the times of its alerts are. */
  let opened = new Date(now()).toISOString()
  /** Of the snapshot, by the clock of the service. */
  let newest = ''
  /** How often it began anew: its rows are others then. */
  const anew = signal(0)
  const selection = signal<Selection>(NONE)
  /** Rows of which only another status is known, not who set it. */
  const partly = new Set<string>()
  const list = createLongList<Alert>({
    idOf: ({ id }) => id,
    onAnew() {
      opened = new Date(now()).toISOString()
      anew.value += 1
    },
    async load({ cursor, skip, limit }) {
      // The first page has the true total; the others are of the same moment, so that rows stand still.
      const at = skip === 0 ? {} : { to: opened, ...(cursor ? { cursor } : { skip }) }
      const page = await api.get<ListOf<Alert>>(withQuery('/alerts', { limit, ...filter, ...at }))
      if (skip === 0) newest = page.items[0]?.created_at ?? ''
      return page
    },
  })

  const loaded = new Promise<void>((resolve) => {
    list.isLoaded.subscribe((isLoaded) => isLoaded && resolve())
  })

  async function catchUp() {
    await loaded
    const path = withQuery('/alerts', { limit: 200, ...filter, from: opened })
    const { items } = await api.get<ListOf<Alert>>(path).catch(() => ({ items: [] }))
    for (const alert of items.toReversed()) list.arrived(alert, false)
  }

  /** Events were missed: what they would have told of the rows. */
  async function catchUpChanges() {
    await loaded
    let cursor: string | null = null
    for (let page = 0; page < MOST_CAUGHT_UP; page += 1) {
      const path = withQuery('/alerts', { limit: 200, updated_since: opened, cursor })
      const { items, next_cursor }: ListOf<Alert> = await api.get(path)
      list.change(items.map((alert) => [alert.id, alert]))
      if (next_cursor === null) return
      cursor = next_cursor
    }
    // More than anybody would wait for: another snapshot.
    list.beginAnew()
  }

  /** Everything that matches and was shown: what waits, or comes meanwhile, is changed by nobody unseen. */
  function allShown(except: Iterable<string>) {
    const times = [newest, ...list.head.value.map(({ created_at }) => created_at)]
    const to = new Date(Math.max(...times.map((at) => Date.parse(at) || 0)) + 1).toISOString()
    const unseen = list.waiting.value.filter(({ created_at }) => created_at < to)
    return { filter: { ...filter, to }, except: [...except, ...unseen.map(({ id }) => id)] }
  }

  /** In as many parts as it takes; what was changed before one failed stays changed, and is told. */
  async function settleAll(
    except: Iterable<string>,
    status: AlertStatus,
    onPart: (updated: number) => void,
  ): Promise<Settled> {
    const which = allShown(except)
    const whole: Settled = { updated: 0, before: {} }
    try {
      for (let hasMore = true; hasMore; ) {
        const asked = { ...which, most: PART, status }
        const part = await api.post<AlertBulkResult>('/alerts/bulk', asked)
        whole.updated += part.updated
        for (const [was, ids] of Object.entries(part.before) as [AlertStatus, string[]][]) {
          whole.before[was] = [...(whole.before[was] ?? []), ...ids]
        }
        hasMore = part.has_more === true
        if (hasMore) onPart(whole.updated)
      }
    } catch (error) {
      if (whole.updated === 0) throw error
      whole.failure = error
    }
    return whole
  }

  function changeStatus(ids: string[], status: AlertStatus) {
    for (const id of ids) partly.add(id)
    return list.change(ids.map((id) => [id, { status }]))
  }

  return {
    ...list,
    anew,
    selection,
    /** Whether the row tells all of its alert. */
    isWhole: (id: string) => !partly.has(id),
    hear({ event, data }: LiveEvent, mayShow: boolean) {
      // What came between the reading of the list and the opening of the line.
      if (event === 'ready') {
        list.again()
        void catchUp()
      } else if (event === 'reset') {
        void catchUpChanges().catch(() => {})
      } else if (event === 'alert.created') {
        const alert = data as unknown as Alert
        if (fits(alert, filter)) list.arrived(alert, mayShow)
      } else if (event === 'alert.updated' || event === 'alert.repeated') {
        list.change([[String(data.id), data as Partial<Alert>]])
        if ('closed_by' in data) partly.delete(String(data.id))
      } else if (event === 'alert.reopened') {
        // It was settled and came again: to who looks at open ones that is a new one.
        const alert = data as unknown as Alert
        list.change([[alert.id, alert]])
        if (list.indexOf(alert.id) < 0 && fits(alert, filter)) list.arrived(alert, mayShow)
      } else if (event === 'alert.bulk_updated') {
        changeStatus(data.ids as string[], data.status as AlertStatus)
      }
    },
    /** Shown at once, taken back when it is refused; the answer says what there is to undo. */
    async settle(
      asked: Selection,
      status: AlertStatus,
      onPart: (updated: number) => void = () => {},
    ): Promise<Settled> {
      if (asked.kind === 'all') return settleAll(asked.except, status, onPart)
      const ids = [...asked.ids]
      const takeBack = changeStatus(ids, status)
      try {
        return await api.post<AlertBulkResult>('/alerts/bulk', { ids, status })
      } catch (error) {
        takeBack()
        throw error
      }
    },
    async undo({ before }: Settled) {
      for (const [status, ids = []] of Object.entries(before) as [AlertStatus, string[]][]) {
        for (let at = 0; at < ids.length; at += MOST_IDS) {
          const some = ids.slice(at, at + MOST_IDS)
          await api.post('/alerts/bulk', { ids: some, status })
          changeStatus(some, status)
        }
      }
    },
  }
}

export type Settled = Pick<AlertBulkResult, 'updated' | 'before'> & {
  /** Why the rest was not changed. */
  failure?: unknown
}

/** Pages of what changed while nobody was told. */
const MOST_CAUGHT_UP = 5

/** As many as the service takes at once. */
const MOST_IDS = 10_000
/** So many take seconds: between them is told how far it is. */
const PART = 5_000
