import type { CaseDetail } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { Said } from '../../parts/said.tsx'
import { Age } from '../../parts/when.tsx'
import { AT_ONCE, Earlier } from './latest.tsx'
import { useWords } from './words.ts'

type TimelineProps = { entries: CaseDetail['timeline']; total: number }

/** What happened to the case, the newest first; the names in each entry are asked for. */
export function Timeline({ entries, total }: TimelineProps) {
  const { w } = useWords()
  const shown = useSignal(AT_ONCE)
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
      <Earlier n={total - Math.min(entries.length, shown.value)} of={shown} />
    </section>
  )
}

/** A merged case is named by its id and its title, who comments twice: once is enough. */
const saidOnce = (action: string, agent: string) =>
  action === `comment added by ${agent}`
    ? 'comment added'
    : action.replace(/^(case \S+ merged): .*$/s, '$1')
