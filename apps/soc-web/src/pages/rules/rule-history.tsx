import type { RuleRun } from '@manara/soc-contract/detections'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Suppression } from '@manara/soc-contract/suppressions'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Status } from '../../parts/badges.tsx'
import { inWords, nameInWords } from '../../parts/in-words.ts'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age, shortAge } from '../../parts/when.tsx'
import { useWords } from './words.ts'

/** What is held back, and the runs with the gaps they made up for. */
export function RuleHistory({ id }: { id: string }) {
  const { w, fill, count } = useWords()
  const base = `/detections/rules/${id}`
  const runs = useRead<ListOf<RuleRun>>(`${base}/runs?limit=10`, { on: ['rule_run'] })
  const held = useRead<ListOf<Suppression>>(`${base}/suppressions?limit=50&active=true`, {
    on: ['rule'],
  })
  const end = (suppression: string) =>
    attempt(async () => {
      await api.remove(`${base}/suppressions/${suppression}`)
      await reads.renew(base)
      notices.done(w.ended)
    })
  return (
    <>
      <section class="block">
        <h2>{w.suppressions}</h2>
        <ReadState read={held} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="soft">{w.noSuppressions}</p>
            ) : (
              <ul>
                {items.map((one) => (
                  <li key={one.id}>
                    <b>{one.name}</b> {criteriaInWords(one.criteria)}{' '}
                    {session.may('detections:write') && (
                      <Act look="plain" onClick={() => end(one.id)}>
                        {w.end}
                      </Act>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </ReadState>
      </section>
      <section class="block">
        <h2>{w.runs}</h2>
        <ReadState read={runs} rows={3}>
          {({ items }) => (
            <ul class="receipts">
              {items.length === 0 && <li class="soft">{w.noRuns}</li>}
              {items.map((run) => (
                <li key={run.id}>
                  <Status value={run.status} /> {count(w.matchesOf, run.match_count)}{' '}
                  <Age at={run.completed_at} />
                  {run.gap_ms > 0 && (
                    <span class="bad"> {fill(w.gap, { age: shortAge(run.gap_ms / 1_000) })}</span>
                  )}
                  {run.error && <span class="bad"> {run.error}</span>}
                </li>
              ))}
            </ul>
          )}
        </ReadState>
      </section>
    </>
  )
}

/** `host fin-ws-07, user svc-backup`: all of them must hold. */
const criteriaInWords = (criteria: Record<string, unknown>) =>
  Object.entries(criteria)
    .map(([name, value]) => `${nameInWords(name)} ${inWords(value)}`)
    .join(', ')
