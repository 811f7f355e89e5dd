import type { RulePreview } from '@manara/soc-contract/detection-content'
import { Trend } from '@manara/ui/parts/trend'
import { dayOfBar } from '../../parts/bar-times.ts'
import { EventFields } from '../../parts/event-fields.tsx'
import { useWords } from './words.ts'

/** What the rule would have found, with the noise of each day. */
export function Preview({ found }: { found: RulePreview }) {
  const { w, count, fill } = useWords()
  return (
    <section class="preview">
      <p role="status">
        <b>
          {count(w.wouldMatch, found.total)}
          {count(w.wouldAlert, found.alert_count)}
        </b>
        {found.estimated_false_positives !== null && (
          <span class="soft">
            {' '}
            {fill(w.falsePositives, { n: found.estimated_false_positives })}
          </span>
        )}
      </p>
      {found.partial && <p class="note">{found.partial}</p>}
      {found.warnings.map((warning) => (
        <p class="note" key={warning}>
          {warning}
        </p>
      ))}
      <Trend
        label={w.perDay}
        names={['']}
        points={found.matches_per_day.map(({ date, matches }) => ({ at: date, values: [matches] }))}
        when={dayOfBar}
      />
      {found.total === 0 ? (
        <p class="soft">{w.noMatches}</p>
      ) : (
        <>
          <h2>{w.samples}</h2>
          <ul class="event-list">
            {found.sample_logs.map((log) => (
              <li key={log.id}>
                <EventFields event={log} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
