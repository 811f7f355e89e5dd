import { signal } from '@preact/signals'

type Page<Item> = { items: Item[]; total: number; next_cursor: string | null }

export type LongListDeps<Item> = {
  /** A page of the snapshot: by its cursor where the page before was seen, else by its place. */
  load(at: { cursor?: string; skip: number; limit: number }): Promise<Page<Item>>
  idOf(item: Item): string
  /** The list begins anew: what is loaded from here on is of another moment. */
  onAnew?(): void
}

const PAGE = 200
const MOST_PAGES = 40
const NEAR_PAGES = 15
/** What came since the snapshot, and changes of rows: a page stays open for days. */
const MOST_FRESH = 500
const MOST_CHANGES = 1_000
/** As much as anybody prints. */
const MOST_PRINTED_PAGES = 5

/**
 * A list that is a snapshot, so that the numbers of its rows stand still, plus a head of what has
 * come since. What arrives waits until it is asked for: nothing moves under the eyes of a reader.
 */
export function createLongList<Item>({ load, idOf, onAnew }: LongListDeps<Item>) {
  const total = signal(0)
  const head = signal<Item[]>([])
  const waiting = signal<Item[]>([])
  /** How many came; the newest of them are in `waiting`. */
  const waitingCount = signal(0)
  const isLoaded = signal(false)
  const failure = signal<unknown>(null)
  /** Changes with every page that arrives; rows read it to know that they must look again. */
  const arrivals = signal(0)
  const changes = signal<ReadonlyMap<string, Partial<Item>>>(new Map())
  const pages = new Map<number, Item[] | 'asked'>()
  const cursors = new Map<number, string>()
  let edition = 0

  async function fetchPage(page: number) {
    if (page < 0 || pages.has(page)) return
    pages.set(page, 'asked')
    const cursor = cursors.get(page)
    const mine = edition
    try {
      const reply = await load({ skip: page * PAGE, limit: PAGE, ...(cursor ? { cursor } : {}) })
      if (mine !== edition) return
      pages.set(page, reply.items)
      if (reply.next_cursor) cursors.set(page + 1, reply.next_cursor)
      // Totals over a limit grow as one goes on: see the limits of the service.
      total.value = Math.max(reply.total, page * PAGE + reply.items.length)
      failure.value = null
      isLoaded.value = true
      forgetFar(page)
      arrivals.value += 1
    } catch (error) {
      if (mine !== edition) return
      // No arrival: rows that looked again at once would ask again at once, and again.
      pages.delete(page)
      failure.value = error
    }
  }

  function forgetFar(near: number) {
    if (pages.size <= MOST_PAGES) return
    for (const page of pages.keys()) if (Math.abs(page - near) > NEAR_PAGES) pages.delete(page)
  }

  function reset() {
    edition += 1
    pages.clear()
    cursors.clear()
    ;[head.value, waiting.value, changes.value] = [[], [], new Map()]
    ;[isLoaded.value, failure.value] = [false, null]
    ;[total.value, waitingCount.value] = [0, 0]
    arrivals.value += 1
  }

  /** Too much has come for rows to stand still: another snapshot, from its top. */
  function beginAnew() {
    reset()
    onAnew?.()
    void fetchPage(0)
  }

  /** Without those of rows that are no longer held: they are read as they are then. */
  function ofHeldRows(all: ReadonlyMap<string, Partial<Item>>) {
    const held = [head.value, waiting.value, ...pages.values()].filter((one) => one !== 'asked')
    const ids = new Set(held.flat().map(idOf))
    return new Map([...all].filter(([id]) => ids.has(id)))
  }

  const size = () => head.value.length + total.value

  function at(index: number): Item | undefined {
    arrivals.value
    const fresh = head.value
    const row = index - fresh.length
    const page = row < 0 ? undefined : pages.get(Math.floor(row / PAGE))
    const item = row < 0 ? fresh[index] : Array.isArray(page) ? page[row % PAGE] : undefined
    if (!item) return undefined
    const change = changes.value.get(idOf(item))
    return change ? { ...item, ...change } : item
  }

  /** The place of a row that is loaded, else -1. */
  function indexOf(id: string): number {
    arrivals.value
    const fresh = head.value.findIndex((item) => idOf(item) === id)
    if (fresh >= 0) return fresh
    for (const [page, items] of pages) {
      const row = items === 'asked' ? -1 : items.findIndex((item) => idOf(item) === id)
      if (row >= 0) return head.value.length + page * PAGE + row
    }
    return -1
  }

  /** The rows around one that are here without a gap; nothing where it is not here itself. */
  function heldAround(index: number): { first: number; last: number } | undefined {
    arrivals.value
    const isHeld = (page: number) => Array.isArray(pages.get(page))
    const fresh = head.value.length
    const page = Math.floor(Math.max(0, index - fresh) / PAGE)
    if (!isHeld(page)) return undefined
    let [first, last] = [page, page]
    while (last - first + 1 < MOST_PRINTED_PAGES && isHeld(first - 1)) first -= 1
    while (last - first + 1 < MOST_PRINTED_PAGES && isHeld(last + 1)) last += 1
    return {
      first: first === 0 ? 0 : fresh + first * PAGE,
      last: Math.min(size(), fresh + (last + 1) * PAGE) - 1,
    }
  }

  return {
    total,
    head,
    waiting,
    waitingCount,
    isLoaded,
    failure,
    arrivals,
    size,
    at,
    indexOf,
    heldAround,
    /** The rows from here to there will be looked at. */
    want(first: number, last: number) {
      const pageOf = (index: number) => Math.floor(Math.max(0, index - head.value.length) / PAGE)
      for (let page = pageOf(first); page <= pageOf(last); page += 1) void fetchPage(page)
    },
    /** What failed is asked for once more, if something did. */
    again() {
      if (failure.value === null) return
      failure.value = null
      arrivals.value += 1
    },
    reset,
    beginAnew,
    /** Something new: it waits, unless somebody who sees the top has nothing to lose by it. */
    arrived(item: Item, mayShow: boolean) {
      const id = idOf(item)
      const newest = pages.get(0)
      const shown = [...head.value, ...waiting.value, ...(Array.isArray(newest) ? newest : [])]
      const isKnown = shown.some((one) => idOf(one) === id)
      if (isKnown) return
      if (!mayShow) {
        waiting.value = [item, ...waiting.value.slice(0, MOST_FRESH - 1)]
        waitingCount.value += 1
      } else if (head.value.length + waitingCount.value < MOST_FRESH) {
        // Behind it those that came before: the newest stay first.
        head.value = [item, ...waiting.value, ...head.value]
        ;[waiting.value, waitingCount.value] = [[], 0]
      } else beginAnew()
    },
    showWaiting() {
      if (head.value.length + waitingCount.value > MOST_FRESH) return beginAnew()
      head.value = [...waiting.value, ...head.value]
      ;[waiting.value, waitingCount.value] = [[], 0]
    },
    /** Shown at once; what it answers takes it back. */
    change(entries: Iterable<[id: string, change: Partial<Item>]>): () => void {
      const before = changes.value
      const next = new Map(before)
      const made = new Map<string, Partial<Item>>()
      for (const [id, change] of entries) made.set(id, { ...next.get(id), ...change })
      for (const [id, change] of made) next.set(id, change)
      changes.value = next.size > MOST_CHANGES ? ofHeldRows(next) : next
      return () => {
        const now = new Map(changes.value)
        for (const [id, change] of made) {
          // What was heard of it since is newer, and stays.
          if (now.get(id) !== change) continue
          const was = before.get(id)
          if (was) now.set(id, was)
          else now.delete(id)
        }
        changes.value = now
      }
    },
  }
}
