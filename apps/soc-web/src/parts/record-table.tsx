import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api, attempt, say } from '../here.ts'
import { eachOnce, fallenOff } from '../stores/pages-of-list.ts'
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
  const more = useSignal<Pick<ListOf<Item>, 'items' | 'next_cursor'>[]>([])
  useEffect(() => {
    more.value = []
  }, [path])
  const before = useRef<{ path: string; items: Item[] } | null>(null)
  useEffect(() => {
    const items = read.data?.items
    if (!items) return
    const last = before.current
    before.current = { path, items }
    // The first page is read anew, the others stand: none may fall between.
    if (last?.path !== path || more.value.length === 0) return
    const fallen = fallenOff(last.items, items, table.keyOf)
    if (fallen.length === 0) return
    // With nothing in common nobody knows what lies between: from the beginning.
    const isApart = fallen.length === last.items.length
    more.value = isApart ? [] : [{ items: fallen, next_cursor: null }, ...more.value]
  }, [read.data])
  return (
    <ReadState read={read} rows={8}>
      {(first) => {
        const pages = [first, ...more.value]
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
                      const joint = path.includes('?') ? '&' : '?'
                      const next = `${path}${joint}cursor=${encodeURIComponent(cursor)}`
                      more.value = [...more.value, await api.get<ListOf<Item>>(next)]
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
