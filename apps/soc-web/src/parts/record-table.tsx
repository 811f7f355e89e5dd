import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
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

/** Records in a table, a page at a time. */
export function RecordTable<Item>(props: RecordTableProps<Item>) {
  const { path, on = [], empty, ...table } = props
  const read = useRead<ListOf<Item>>(path, { on })
  /** From when more were asked for: all pages, of one moment. */
  const held = useSignal<PageOf<Item>[] | null>(null)
  const load = (cursor: string) =>
    api.get<ListOf<Item>>(
      `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
    )
  useEffect(() => {
    held.value = null
  }, [path])
  // What is told of the first page holds for those behind it: they are read anew with it.
  useEffect(() => {
    const before = held.value
    const first = read.data
    if (!first || !before) return
    allPages(first, before, load, table.keyOf).then(
      (pages) => {
        if (held.value === before) held.value = pages
      },
      // What was read stays, and the next event tries again.
      () => {},
    )
  }, [path, read.readAt])
  return (
    <ReadState read={read} rows={8}>
      {(first) => {
        const pages = held.value ?? [first]
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
                      held.value = [...pages, await load(cursor)]
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
