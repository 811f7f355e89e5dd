import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, attempt, say } from '../here.ts'
import { Act } from './act.tsx'
import { ReadState } from './state.tsx'
import { useRead } from './use-read.ts'

type Column<Item> = {
  name: string
  /** The name is read out but not shown: above buttons. */
  isNameHidden?: boolean
  isNumber?: boolean
  cell(item: Item): ComponentChildren
}

export type RecordTableProps<Item> = {
  label: string
  /** A list of the service, with its filters. */
  path: string
  on?: readonly string[]
  columns: Column<Item>[]
  keyOf(item: Item): string
  /** The row that stands open beside the table. */
  open?: string
  onOpen?(item: Item): void
  empty: ComponentChildren
}

/** Records in a table, a page at a time. The first cell of a row opens it. */
export function RecordTable<Item>(props: RecordTableProps<Item>) {
  const { label, path, on = [], columns, keyOf, open = '', onOpen, empty } = props
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
        if (items.length === 0) return empty
        return (
          <div class="table-box">
            <table class="table" aria-label={label}>
              <thead>
                <tr>
                  {columns.map(({ name, isNumber, isNameHidden }) => (
                    <th scope="col" key={name} class={isNumber ? 'num' : undefined}>
                      {isNameHidden ? <span class="hidden">{name}</span> : name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={keyOf(item)} aria-selected={keyOf(item) === open}>
                    {columns.map(({ name, isNumber, cell }, at) => (
                      <td key={name} class={isNumber ? 'num' : undefined}>
                        {at === 0 && onOpen ? (
                          <button type="button" class="table-open" onClick={() => onOpen(item)}>
                            {cell(item)}
                          </button>
                        ) : (
                          cell(item)
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {cursor && (
              <p class="load-more">
                <Act
                  onClick={() =>
                    void attempt(async () => {
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
