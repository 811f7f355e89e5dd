import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Lines } from './lines.tsx'
import { createTail } from './tail.ts'
import { useWords } from './words.ts'

type TailLinesProps = {
  filter: Record<string, string>
  columns: string[]
  words: string[]
  onCondition(field: string, value: string, isWanted: boolean): void
}

export function TailLines({ filter, columns, words, onCondition }: TailLinesProps) {
  const { w, count } = useWords()
  const tail = useMemo(() => createTail(filter), [])
  const open = useSignal('')
  const isUnderPointer = useSignal(false)
  useEffect(() => {
    tail.start()
    return tail.stop
  }, [tail])
  // By a finger or by keys a line is read too, with no pointer over it.
  const isReading = isUnderPointer.value || open.value !== ''
  useEffect(() => tail.hold(isReading), [isReading])
  const { status, isOurTurn, waits, skipped, wasCut } = tail
  return (
    <div
      onPointerEnter={() => {
        isUnderPointer.value = true
      }}
      onPointerLeave={() => {
        isUnderPointer.value = false
      }}
    >
      <p class="tail-state" data-state={status.value} role="status">
        {!isOurTurn.value
          ? w.tailWaits
          : status.value === 'lost'
            ? w.tailLost
            : status.value === 'connecting'
              ? w.tailOpening
              : waits.value > 0
                ? count(w.tailPaused, waits.value)
                : w.tailing}
        {skipped.value > 0 && ` ${count(w.tailSkipped, skipped.value)}`}
        {wasCut.value && status.value !== 'lost' && ` ${w.tailWasCut}`}
      </p>
      <Lines
        logs={tail.shown.value}
        {...{ columns, words, onCondition }}
        open={open.value}
        onOpen={(id) => {
          open.value = id === open.value ? '' : id
        }}
      />
    </div>
  )
}
