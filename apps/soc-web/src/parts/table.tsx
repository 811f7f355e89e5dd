import type { ComponentChildren } from 'preact'

type Column<Item> = {
  name: string
  /** The name is read out but not shown: above buttons. */
  isNameHidden?: boolean
  isNumber?: boolean
  cell(item: Item): ComponentChildren
}

export type TableProps<Item> = {
  label: string
  columns: Column<Item>[]
  items: readonly Item[]
  keyOf(item: Item): string
  /** The row that stands open beside the table. */
  open?: string
  onOpen?: ((item: Item) => void) | undefined
}

/** Records with a row each; the first cell of a row opens it. On a phone each is a card. */
export function Table<Item>(props: TableProps<Item>) {
  const { label, columns, items, keyOf, open = '', onOpen } = props
  return (
    <table class="table cards" aria-label={label}>
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
          <tr key={keyOf(item)} aria-selected={onOpen && keyOf(item) === open}>
            {columns.map(({ name, isNumber, isNameHidden, cell }, at) => (
              <td
                key={name}
                class={isNumber ? 'num' : undefined}
                // Shown on a phone, where each cell says by itself what it is.
                data-name={at === 0 || isNameHidden ? undefined : name}
              >
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
  )
}
