import type { ComponentChildren, ComponentType } from 'preact'
import { say } from '../here.ts'
import { RecordTable, type RecordTableProps } from './record-table.tsx'
import { useCommands } from './use-commands.ts'
import { useQuery } from './use-query.ts'

type RecordsWithPanelProps<Item> = Omit<RecordTableProps<Item>, 'keyOf' | 'open' | 'onOpen'> & {
  /** Tells about the record that stands open. */
  One: ComponentType<{ id: string; onClose(): void }>
  above?: ComponentChildren
}

/** Records in a table and one of them beside it; which one is in the address. */
export function RecordsWithPanel<Item extends { id: string }>(props: RecordsWithPanelProps<Item>) {
  const { One, above, ...table } = props
  const query = useQuery()
  const open = query.get('open')
  const close = () => query.set({ open: null })
  useCommands(
    open
      ? [{ id: 'leave', title: say.value.t.close, group: 'page', keys: 'Escape', run: close }]
      : [],
  )
  const records = (
    <RecordTable<Item>
      {...table}
      keyOf={({ id }) => id}
      open={open}
      onOpen={({ id }) => query.set({ open: id })}
    />
  )
  return (
    <div class="with-panel" data-panel={open !== ''}>
      {above ? (
        <div class="list-side">
          {above}
          {records}
        </div>
      ) : (
        records
      )}
      {/* What is asked or shown about one record is not for the next. */}
      {open && <One key={open} id={open} onClose={close} />}
    </div>
  )
}
