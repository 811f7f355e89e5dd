import type { AlertStatus } from '@manara/soc-contract/alerts'
import type { Signal } from '@preact/signals'
import { Act } from '../../parts/act.tsx'
import { Key } from '../../parts/key.tsx'
import { ALL, NONE, type Selection } from './selection.ts'
import { useWords } from './words.ts'

type HintsProps = {
  selection: Signal<Selection>
  /** How many the selection holds. */
  marked: number
  /** Whether everything that matches may be more than that. */
  isMore: boolean
  mayWrite: boolean
  onSettle(status: AlertStatus): Promise<void>
}

/** Below the queue: what can be done with the selection, or the keys that make one. */
export function Hints({ selection, marked, isMore, mayWrite, onSettle }: HintsProps) {
  const { w, t, count, fill, number } = useWords()
  return (
    <footer class="hints">
      {marked > 0 ? (
        <>
          <b role="status">
            {selection.value.kind === 'ids'
              ? count(w.selected, marked)
              : isMore
                ? fill(w.selectedMany, { n: number(marked) })
                : count(w.selectedAll, marked)}
          </b>
          {mayWrite && (
            <>
              <Act look="plain" keys="t" onClick={() => onSettle('triaged')}>
                {w.triage}
              </Act>
              <Act look="plain" keys="e" onClick={() => onSettle('closed')}>
                {w.closeIt}
              </Act>
            </>
          )}
          {selection.value.kind === 'ids' && (
            <Act
              look="plain"
              keys="A"
              onClick={() => {
                selection.value = ALL
              }}
            >
              {w.markAll}
            </Act>
          )}
          <Act
            look="plain"
            keys="Escape"
            onClick={() => {
              selection.value = NONE
            }}
          >
            {w.unmark}
          </Act>
        </>
      ) : (
        <>
          <span>
            <Key keys="j" /> <Key keys="k" /> {w.next}
          </span>
          <span>
            <Key keys="x" /> {w.mark}
          </span>
          <span>
            <Key keys="Enter" /> {w.openIt}
          </span>
          <span>
            <Key keys="?" /> {t.keys}
          </span>
        </>
      )}
    </footer>
  )
}
