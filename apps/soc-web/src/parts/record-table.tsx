import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, attempt, say } from '../here.ts'
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
  const more = useSignal<ListOf<Item>[]>([])
  useEffect(() => {
    more.value = []
  }, [path])
  return (
    <ReadState read={read} rows={8}>
      {(first) => {
        const pages = [first, ...more.value]
        const items = pages.flatMap((page) => page.items)
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
