import type { Cites, Investigation } from '@manara/soc-contract/investigation'
import { api, attempt, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Dot } from '../../parts/badges.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { quoted } from '../../parts/quoted.ts'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { Graph } from './graph.tsx'
import { useWords } from './words.ts'

export function InvestigationPage({ id }: { id: string }) {
  const { w } = useWords()
  const read = useRead<Investigation>(`/agents/investigations/${id}`, { on: ['investigation'] })
  return (
    <div>
      <PageHead title={w.title}>
        <a class="link" href="/investigate">
          {w.all}
        </a>
      </PageHead>
      <ReadState read={read} rows={10}>
        {(found) =>
          found.status === 'running' ? <Working found={found} /> : <Story found={found} />
        }
      </ReadState>
    </div>
  )
}

function Working({ found }: { found: Investigation }) {
  const { w, fill } = useWords()
  const stop = () =>
    attempt(async () => {
      await api.remove(`/agents/investigations/${found.id}`)
      await reads.renew('/agents/investigations')
    })
  return (
    <div class="working">
      <p aria-busy="true" role="status">
        {fill(w.working, { step: found.progress?.step ?? '…', n: found.progress?.events ?? 0 })}
      </p>
      <progress />
      <Act onClick={() => stop()}>{w.cancel}</Act>
    </div>
  )
}

/** A citation opens what it cites. */
function Cited({ cites, at }: { cites: Cites; at: string | null }) {
  const { w } = useWords()
  const around = at
    ? {
        from: new Date(Date.parse(at) - 600_000).toISOString(),
        to: new Date(Date.parse(at) + 600_000).toISOString(),
      }
    : { last: 'all' }
  return (
    <span class="cites">
      {cites.log_ids.slice(0, 3).map((id) => (
        <a
          class="link"
          key={id}
          href={withQuery('/search', {
            q: `id:${JSON.stringify(id)}`,
            open: id,
            ...(at ? around : { last: 'all' }),
          })}
        >
          {w.event}
        </a>
      ))}
      {cites.alert_ids.slice(0, 3).map((id) => (
        <a class="link" key={id} href={withQuery('/alerts', { status: 'all', open: id })}>
          {w.alert}
        </a>
      ))}
      {cites.rule_ids.slice(0, 3).map((id) => (
        <a class="link" key={id} href={`/rules/${id}`}>
          {w.rule}
        </a>
      ))}
    </span>
  )
}

function Story({ found }: { found: Investigation }) {
  const { w, t, percent, fill, count } = useWords()
  if (found.status !== 'completed') {
    return (
      <p class="note">
        <b>{t.status[found.status]}.</b> {found.error} {w.tryAgain}
      </p>
    )
  }
  return (
    <div class="story">
      <h2 class="story-about" dir="auto">
        {found.anchor?.title ?? found.anchor?.value ?? found.request.alert_context.slice(0, 200)}
      </h2>
      <section class="verdict" data-verdict={found.verdict}>
        <b>{found.verdict && w.verdicts[found.verdict]}</b>
        <span>
          {found.confidence !== null && fill(w.confidence, { n: percent(found.confidence * 100) })}
        </span>
        <ul>
          {found.confidence_reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        {found.partial && <p class="note">{fill(w.partial, { why: found.partial.reason })}</p>}
      </section>
      <dl class="facts">
        {found.initiator && (
          <>
            <dt>{w.initiator}</dt>
            <dd class="mono">
              {found.initiator.command_line ?? found.initiator.process ?? found.initiator.address}
            </dd>
          </>
        )}
        {found.root && (
          <>
            <dt>{w.root}</dt>
            <dd class="mono">
              {found.root.command_line ?? found.root.process ?? found.root.address}
            </dd>
          </>
        )}
        <dt>{w.hosts}</dt>
        <dd class="mono">{found.hosts.join(', ')}</dd>
        <dt>{w.users}</dt>
        <dd class="mono">{found.users.join(', ')}</dd>
        <dt>{w.techniques}</dt>
        <dd>{found.techniques.map(({ id, name }) => `${id} ${name}`).join(', ')}</dd>
      </dl>
      <Graph found={found} />
      <section>
        <h2>{w.findings}</h2>
        <ol class="findings">
          {found.findings.map((finding) => (
            <li key={finding.claim}>
              <p dir="auto">{finding.claim}</p>
              <Cited cites={finding.cites} at={null} />
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>{w.timeline}</h2>
        <ol class="timeline">
          {found.timeline.map(({ at, host, what, log_id }) => (
            <li key={`${at}${log_id}${what}`}>
              <Age at={at} />
              <p>
                <b class="mono">{host}</b> {what}{' '}
                <Cited cites={{ log_ids: [log_id], alert_ids: [], rule_ids: [] }} at={at} />
              </p>
            </li>
          ))}
        </ol>
      </section>
      {found.proposed_actions.length > 0 && (
        <section>
          <h2>{w.actions}</h2>
          <ul class="findings">
            {found.proposed_actions.map((one) => (
              <li key={`${one.action} ${one.target.value}`}>
                <b>{w.doable[one.action]}</b> <span class="mono">{one.target.value}</span>
                <p>{one.reason}</p>
                <p class="soft">
                  {fill(w.risk, { text: one.risk })}. {fill(w.wayBack, { text: one.way_back })}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {found.indicators.length > 0 && (
        <section>
          <h2>{w.indicators}</h2>
          <ul class="observables">
            {found.indicators.map((one) => (
              <li key={one.value}>
                <span class="chip">{one.type}</span>
                <a
                  class="link mono"
                  href={withQuery('/search', { q: quoted(one.value), last: 'all' })}
                >
                  {one.value}
                </a>
                <span class="soft">{count(w.sightings, one.sightings)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {found.related_alerts.length > 0 && (
        <section>
          <h2>{w.related}</h2>
          <ul class="list">
            {found.related_alerts.map((one) => (
              <li key={one.id}>
                <Dot value={one.severity} />
                <a href={withQuery('/alerts', { status: 'all', open: one.id })}>
                  <span>{one.title}</span>
                </a>
                <Age at={one.last_seen_at} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>{w.plan}</h2>
        <ol class="findings">
          {found.plan.map((step) => (
            <li key={step.step + step.query}>
              {step.step} <span class="soft">{count(w.events, step.events)}</span>
              {step.query && (
                <p>
                  <a
                    class="link mono"
                    href={withQuery('/search', { q: step.query, from: step.from, to: step.to })}
                  >
                    {step.query.slice(0, 300)}
                  </a>
                </p>
              )}
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}
