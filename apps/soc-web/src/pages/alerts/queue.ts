import type { Alert, AlertBulkResult, AlertStatus } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { signal } from '@preact/signals'
import { api, type LiveEvent } from '../../here.ts'
import { withQuery } from '../../stores/api.ts'
import { createLongList } from '../../stores/long-list.ts'
import { NONE, type Selection } from './selection.ts'
import { fits } from './view.ts'

/** The alerts of one filter: rows, selection, and changes that can be undone. */
export function createQueue(filter: Record<string, string>) {
  let opened = new Date().toISOString()
  const selection = signal<Selection>(NONE)
  const list = createLongList<Alert>({
    idOf: ({ id }) => id,
    onAnew() {
      opened = new Date().toISOString()
    },
    load({ cursor, skip, limit }) {
      // The first page has the true total; the others are of the same moment, so that rows stand still.
      const at = skip === 0 ? {} : { to: opened, ...(cursor ? { cursor } : { skip }) }
      return api.get<ListOf<Alert>>(withQuery('/alerts', { limit, ...filter, ...at }))
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

  return {
    ...list,
    selection,
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
      } else if (event === 'alert.updated') {
        list.change([[String(data.id), data as Partial<Alert>]])
      } else if (event === 'alert.bulk_updated') {
        const status = data.status as AlertStatus
        list.change((data.ids as string[]).map((id) => [id, { status }]))
      }
    },
    /** Shown at once, taken back when it is refused; the answer says what there is to undo. */
    async settle(asked: Selection, status: AlertStatus): Promise<AlertBulkResult> {
      const takeBack =
        asked.kind === 'ids' ? list.change([...asked.ids].map((id) => [id, { status }])) : () => {}
      const which =
        asked.kind === 'ids' ? { ids: [...asked.ids] } : { filter, except: [...asked.except] }
      try {
        return await api.post<AlertBulkResult>('/alerts/bulk', { ...which, status })
      } catch (error) {
        takeBack()
        throw error
      }
    },
    async undo({ before }: AlertBulkResult) {
      for (const [status, ids = []] of Object.entries(before) as [AlertStatus, string[]][]) {
        for (let at = 0; at < ids.length; at += MOST_IDS) {
          const some = ids.slice(at, at + MOST_IDS)
          await api.post('/alerts/bulk', { ids: some, status })
          list.change(some.map((id) => [id, { status }]))
        }
      }
    },
  }
}

/** Pages of what changed while nobody was told. */
const MOST_CAUGHT_UP = 5

/** As many as the service takes at once. */
const MOST_IDS = 1_000
