import type { Alert } from '@manara/soc-contract/alerts'
import { session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { quoted } from '../../parts/quoted.ts'
import { RecordName } from '../../parts/record-name.tsx'
import { Said } from '../../parts/said.tsx'
import { Moment } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

/** Where it was, when, by which rule, whose it is, and what it names. */
export function Facts({ alert, onAssign }: { alert: Alert; onAssign(): Promise<unknown> }) {
  const { w, t, count } = useWords()
  const me = session.me.value?.username ?? ''
  return (
    <dl class="facts">
      <dt>{w.host}</dt>
      <dd class="mono">
        {alert.host ? (
          <a class="link" href={withQuery('/alerts', { host: alert.host, status: 'all' })}>
            {alert.host}
          </a>
        ) : (
          t.none
        )}
      </dd>
      <dt>{w.seen}</dt>
      <dd>
        <Moment at={alert.last_seen_at} />{' '}
        <span class="soft">{count(w.times, alert.occurrence_count)}</span>
      </dd>
      <dt>{w.arrived}</dt>
      <dd>
        <Moment at={alert.created_at} />
      </dd>
      {alert.mitre_techniques.length > 0 && (
        <>
          <dt>{w.techniques}</dt>
          <dd class="mono">{alert.mitre_techniques.join(', ')}</dd>
        </>
      )}
      <dt>{w.source}</dt>
      <dd dir="auto">{alert.source}</dd>
      {alert.rule_id && (
        <>
          <dt>{w.rule}</dt>
          <dd>
            <RecordName kind="rule" id={alert.rule_id} />
          </dd>
        </>
      )}
      <dt>{w.owner}</dt>
      <dd>
        {alert.assignee ?? t.nobody}{' '}
        {session.may('alerts:write') && alert.assignee !== me && (
          <Act look="plain" keys="a" onClick={onAssign}>
            {w.assign}
          </Act>
        )}
      </dd>
      {alert.closed_by && alert.closed_at && (
        <>
          <dt>{w.settledBy}</dt>
          <dd>
            <Said text={alert.closed_by} />, <Moment at={alert.closed_at} />
            {alert.reopened_count > 0 && (
              <b class="bad"> {count(w.reopened, alert.reopened_count)}</b>
            )}
          </dd>
        </>
      )}
      {alert.iocs.length > 0 && (
        <>
          <dt>{w.indicators}</dt>
          <dd class="mono">
            {alert.iocs.map((ioc) => (
              <a
                class="link ioc"
                key={ioc}
                href={withQuery('/search', { q: quoted(ioc), last: 'all' })}
              >
                {ioc}
              </a>
            ))}
          </dd>
        </>
      )}
    </dl>
  )
}
