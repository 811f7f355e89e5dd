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
  const { w, fill } = useWords()
  const tail = useMemo(() => createTail(filter), [])
  const open = useSignal('')
  useEffect(() => {
    tail.start()
    return tail.stop
  }, [tail])
  const waits = tail.waiting.value.length
  return (
    <div onPointerEnter={() => tail.hold(true)} onPointerLeave={() => tail.hold(false)}>
      <p class="tail-state" data-state={tail.status.value} role="status">
        {tail.status.value === 'lost'
          ? w.tailLost
          : waits > 0
            ? fill(w.tailPaused, { n: waits })
            : w.tailing}
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
