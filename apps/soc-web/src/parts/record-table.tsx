import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api, attempt, say } from '../here.ts'
import { allPages, eachOnce, type PageOf } from '../stores/pages-of-list.ts'
import { Act } from './act.tsx'
import { NoneFound } from './none-found.tsx'
import { ReadState } from './state.tsx'
import { Table, type TableProps } from './table.tsx'
import { useRead } from './use-read.ts'

export type RecordTableProps<Item> = Omit<TableProps<Item>, 'items'> & {
  /** A list of the service, with its filters. */
  path: string
  on?: readonly string[]
  empty: ComponentChildren
}

type Held<Item> = { pages: PageOf<Item>[]; readAt: number }

/** Records in a table, a page at a time. */
export function RecordTable<Item>(props: RecordTableProps<Item>) {
  const { path, on = [], empty, ...table } = props
  const read = useRead<ListOf<Item>>(path, { on })
  /** From when more were asked for: all pages, of the moment of their first. */
  const held = useSignal<Held<Item> | null>(null)
  const asked = useRef(path)
  asked.current = path
  const newest = useRef(read)
  newest.current = read
  const load = (cursor: string) =>
    api.get<ListOf<Item>>(
      `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
    )
  /** The first page may be renewed while the others are on their way. */
  async function upToNow(before: Held<Item>): Promise<Held<Item>> {
    const { data: first, readAt } = newest.current
    if (!first || before.readAt === readAt) return before
    return upToNow({ pages: await allPages(first, before.pages, load, table.keyOf), readAt })
  }
  useEffect(() => {
    held.value = null
  }, [path])
  // What is told of the first page holds for those behind it: they are read anew with it.
  useEffect(() => {
    const before = held.value
    if (!before) return
    upToNow(before).then(
      (now) => {
        if (held.value === before) held.value = now
      },
      // What was read stays, and the next event tries again.
      () => {},
    )
  }, [path, read.readAt])
  return (
    <ReadState read={read} rows={8}>
      {(first) => {
        const { pages, readAt } = held.value ?? { pages: [first], readAt: read.readAt }
        const items = eachOnce(
          pages.flatMap((page) => page.items),
          table.keyOf,
        )
        const cursor = pages.at(-1)?.next_cursor
        if (items.length === 0) return /[?&]q=/.test(path) ? <NoneFound /> : empty
        return (
          <div class="table-box">
            <Table {...table} items={items} />
            {cursor && (
              <p class="load-more">
                <Act
                  onClick={() =>
                    attempt(async () => {
                      const next = await load(cursor)
                      // Of another question by then, it is no part of the answer.
                      if (asked.current !== path) return
                      const now = await upToNow({ pages: [...pages, next], readAt })
                      if (asked.current === path) held.value = now
                    })
                  }
                >
                  {say.value.t.more}
                </Act>
              </p>
            )}
          </div>
        )
      }}
    </ReadState>
  )
}
