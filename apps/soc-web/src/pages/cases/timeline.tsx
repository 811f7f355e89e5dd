import type { CaseDetail } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { Act } from '../../parts/act.tsx'
import { Said } from '../../parts/said.tsx'
import { Age } from '../../parts/when.tsx'
import { useWords } from './words.ts'

/** The names in each entry are asked for, so that only so many are shown at first. */
const AT_ONCE = 50

/** What happened to the case, the newest first. */
export function Timeline({ entries }: { entries: CaseDetail['timeline'] }) {
  const { w, count } = useWords()
  const shown = useSignal(AT_ONCE)
  const earlier = entries.length - shown.value
  return (
    <section>
      <h3>{w.timeline}</h3>
      <ol class="timeline">
        {entries
          .toReversed()
          .slice(0, shown.value)
          .map(({ agent, action, timestamp }) => (
            <li key={`${timestamp} ${action}`}>
              <Age at={timestamp} />
              <p dir="auto">
                <b>
                  <Said text={agent} />
                </b>{' '}
                <Said text={saidOnce(action, agent)} />
              </p>
            </li>
          ))}
      </ol>
      {earlier > 0 && (
        <Act
          look="plain"
          onClick={() => {
            shown.value += AT_ONCE
          }}
        >
          {count(w.earlier, earlier)}
        </Act>
      )}
    </section>
  )
}

/** A merged case is named by its id and its title, who comments twice: once is enough. */
const saidOnce = (action: string, agent: string) =>
  action === `comment added by ${agent}`
    ? 'comment added'
    : action.replace(/^(case \S+ merged): .*$/s, '$1')
