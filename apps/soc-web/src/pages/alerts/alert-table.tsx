import { LongList } from '@manara/ui/parts/long-list'
import { useCallback } from 'preact/hooks'
import { Key } from '../../parts/key.tsx'
import { Failed } from '../../parts/state.tsx'
import { useMedia } from '../../parts/use-media.ts'
import { useQuery } from '../../parts/use-query.ts'
import { AlertRow, AlertRowHead } from './alert-row.tsx'
import { NoAlerts } from './no-alerts.tsx'
import { isSelected, toggled } from './selection.ts'
import type { Cursor } from './use-cursor.ts'
import type { QueueRows } from './use-queue.ts'
import { useWords } from './words.ts'

const ROW = 36
const HEAD = 30
/** On a phone two lines a row, and nothing that names columns: see alerts.css. */
const PHONE = '(max-width: 640px)'
const PHONE_ROW = 58

type AlertTableProps = {
  rows: QueueRows
  cursor: Cursor
  isFiltered: boolean
  onShowNew(): void
}

/** The rows, and over them what has come since. */
export function AlertTable({ rows, cursor, isFiltered, onShowNew }: AlertTableProps) {
  const { w, count, fill, number } = useWords()
  const query = useQuery()
  const { queue, list, focus, isUsed } = rows
  const { at, table } = cursor
  const size = queue.size()
  const isPhone = useMedia(PHONE)
  const printed = queue.heldAround(at)
  const want = useCallback((first: number, last: number) => queue.want(first, last), [queue])

  function pick(index: number, event: MouseEvent) {
    focus.value = index
    isUsed.current = true
    const id = queue.at(index)?.id
    if (!id) return
    if ((event.target as Element).closest('.tick')) {
      queue.selection.value = toggled(queue.selection.value, id)
    } else query.set({ open: id })
  }
  return (
    <div class="alerts-table" ref={table}>
      {queue.isLoaded.value && size === 0 ? (
        <NoAlerts isFiltered={isFiltered} />
      ) : (
        <LongList
          label={w.title}
          size={size}
          edition={`${queue.arrivals.value} ${size} ${at}`}
          rowHeight={isPhone ? PHONE_ROW : ROW}
          headHeight={isPhone ? 0 : HEAD}
          head={<AlertRowHead columns={w.columns} />}
          focus={at}
          onWant={want}
          onPick={pick}
          row={(index) => {
            const alert = queue.at(index)
            return (
              <AlertRow
                {...{ index, alert }}
                isFocused={index === at}
                isMarked={alert !== undefined && isSelected(queue.selection.value, alert.id)}
              />
            )
          }}
          printed={printed}
          handle={list}
        />
      )}
      {printed && printed.last - printed.first + 1 < size && (
        <p class="on-paper">
          {fill(w.onPaper, {
            first: number(printed.first + 1),
            last: number(printed.last + 1),
            all: number(size),
          })}
        </p>
      )}
      {queue.waitingCount.value > 0 && (
        <button type="button" class="fresh" onClick={onShowNew}>
          {count(w.newOnes, queue.waitingCount.value)} <Key keys="n" />
        </button>
      )}
      {queue.failure.value !== null && <Failed error={queue.failure.value} onAgain={queue.again} />}
    </div>
  )
}
