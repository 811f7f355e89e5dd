import type { Coverage } from '@manara/soc-contract/detection-content'
import type { ListOf } from '@manara/soc-contract/lists'
import type { LogSource } from '@manara/soc-contract/siem'
import type { DashboardStats, StatsOverview } from '@manara/soc-contract/stats'
import { Trend } from '@manara/ui/parts/trend'
import { isFirstHourShown, session } from '../../here.ts'
import { Dot, SEVERITIES } from '../../parts/badges.tsx'
import { dayOfBar } from '../../parts/bar-times.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ReadState } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { Refused, withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'
import './overview.css'

/** No event tells of events that were stored; a page on the wall would call every sender silent. */
const EVERY_MS = 30_000

/** What is open, what waits for somebody, and how it went: for the start of a shift. */
export function Page() {
  const { w } = useWords()
  return (
    <div class="overview">
      <PageHead title={w.title}>
        {isFirstHourShown.value && (
          <a class="link" href="/start">
            {w.firstHour}
          </a>
        )}
      </PageHead>
      {session.canRead.value ? <Numbers /> : <p class="note">{w.unavailable}</p>}
    </div>
  )
}

function Numbers() {
  const { w, number, count } = useWords()
  const today = useRead<DashboardStats>('/dashboard/stats', {
    on: ['alert', 'case', 'approval', 'execution'],
  })
  return (
    <ReadState read={today} rows={8}>
      {(stats) => (
        <div class="overview-grid">
          <section class="block tiles" aria-label={w.openNow}>
            <Tile
              href="/alerts"
              value={stats.open_alerts}
              label={count(w.openAlerts, stats.open_alerts)}
            />
            <Tile
              href="/alerts?status=new"
              value={stats.new_alerts}
              label={w.newAlerts}
              isLit={stats.new_alerts > 0}
            />
            <Tile
              href="/alerts?severity=critical"
              value={stats.critical_alerts}
              label={w.critical}
              isBad={stats.critical_alerts > 0}
            />
            <Tile
              href="/cases?as=list&status=unresolved"
              value={stats.open_cases}
              label={count(w.openCases, stats.open_cases)}
            />
            {session.may('approvals:manage') && (
              <Tile
                href="/response/approvals"
                value={stats.pending_approvals}
                label={count(w.approvals, stats.pending_approvals)}
                isLit={stats.pending_approvals > 0}
              />
            )}
            <Tile
              href="/response/endpoints"
              value={stats.isolated_endpoints}
              label={count(w.isolated, stats.isolated_endpoints)}
            />
          </section>
          <section class="block">
            <Trend
              label={w.trendDay}
              names={[w.created, w.settled]}
              points={stats.trend.map(({ from, created, resolved }) => ({
                at: from,
                values: [created, resolved],
              }))}
              when={(at) =>
                new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
              }
            />
          </section>
          <section class="block">
            <h2>{w.openNow}</h2>
            <ul class="bars">
              {SEVERITIES.map((name) => (
                <Share
                  key={name}
                  href={`/alerts?severity=${name}`}
                  severity={name}
                  value={stats.alerts_by_severity[name]}
                  of={stats.open_alerts}
                />
              ))}
            </ul>
          </section>
          <section class="block">
            <h2>{w.sources}</h2>
            <ul class="bars">
              {stats.top_sources.map(({ source, count: amount }) => (
                <li key={source}>
                  <a href={withQuery('/alerts', { source, status: 'all' })}>
                    <span>{source}</span>
                    <meter min={0} max={Math.max(1, stats.total_alerts)} value={amount} />
                    <b>{number(amount)}</b>
                  </a>
                </li>
              ))}
            </ul>
          </section>
          <Month />
          <Senders />
          <Tactics />
        </div>
      )}
    </ReadState>
  )
}

type TileProps = { href: string; value: number; label: string; isLit?: boolean; isBad?: boolean }

const Tile = ({ href, value, label, isLit = false, isBad = false }: TileProps) => (
  <a class="tile" href={href} data-lit={isLit} data-bad={isBad}>
    <b>{useWords().number(value)}</b>
    <span>{label}</span>
  </a>
)

type ShareProps = { href: string; severity: (typeof SEVERITIES)[number]; value: number; of: number }

function Share({ href, severity, value, of }: ShareProps) {
  const { t, number } = useWords()
  return (
    <li>
      <a href={href}>
        <Dot value={severity} />
        <span>{t.severity[severity]}</span>
        <meter min={0} max={Math.max(1, of)} value={value} />
        <b>{number(value)}</b>
      </a>
    </li>
  )
}

function Month() {
  const { w, fill } = useWords()
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const path = '/stats/overview'
  const own = useRead<StatsOverview>(withQuery(path, { timezone }), { everyMs: 10 * EVERY_MS })
  // Browsers know zones that the service does not, and some have one of no name.
  const isUnknown = own.error instanceof Refused && own.error.status === 400
  const ofUtc = useRead<StatsOverview>(isUnknown ? path : null, { everyMs: 10 * EVERY_MS })
  const read = isUnknown ? ofUtc : own
  const long = (seconds: number | null) => {
    if (seconds === null) return w.none
    if (seconds < 5_400) return fill(w.minutes, { n: Math.max(1, Math.round(seconds / 60)) })
    if (seconds < 172_800) return fill(w.hours, { n: Math.round(seconds / 3_600) })
    return fill(w.days, { n: Math.round(seconds / 86_400) })
  }
  return (
    <>
      <section class="block wide">
        <ReadState read={read} rows={4}>
          {({ trend }) => (
            <>
              <Trend
                label={w.trendMonth}
                names={[w.created, w.settled]}
                points={trend.map(({ from, created, resolved }) => ({
                  at: from,
                  values: [created, resolved],
                }))}
                when={(at) => (isUnknown ? dayOfBar(at) : new Date(at).toLocaleDateString())}
              />
              {isUnknown && <p class="soft">{fill(w.utcDays, { zone: timezone })}</p>}
            </>
          )}
        </ReadState>
      </section>
      <section class="block">
        <h2>{w.times}</h2>
        <ReadState read={read} rows={2}>
          {({ mtta_seconds, mttr_seconds }) => (
            <>
              <dl class="lengths">
                <dd>{long(mtta_seconds)}</dd>
                <dt>{w.mtta}</dt>
                <dd>{long(mttr_seconds)}</dd>
                <dt>{w.mttr}</dt>
              </dl>
              <p class="soft">{w.timesHint}</p>
            </>
          )}
        </ReadState>
      </section>
    </>
  )
}

function Senders() {
  const { w, number } = useWords()
  const path = session.may('siem:read') ? '/siem/sources?limit=12' : null
  const read = useRead<ListOf<LogSource>>(path, { on: ['source'], everyMs: EVERY_MS })
  if (!path) return null
  return (
    <section class="block wide">
      <h2>{w.senders}</h2>
      <ReadState read={read} rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{w.noSenders}</p>
          ) : (
            <Table<LogSource>
              label={w.senders}
              items={items}
              keyOf={({ source }) => source}
              columns={[
                {
                  name: w.sender,
                  cell: ({ source }) => (
                    <a class="link" href={withQuery('/search', { source })}>
                      {source}
                    </a>
                  ),
                },
                { name: w.events, isNumber: true, cell: (one) => number(one.events) },
                { name: w.rate, isNumber: true, cell: (one) => number(one.events_per_minute) },
                {
                  name: w.last,
                  isNumber: true,
                  cell: (one) => (
                    <>
                      {one.state === 'silent' && <b class="bad">{w.silent}</b>}{' '}
                      <Age at={one.last_event_at} />
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </ReadState>
    </section>
  )
}

/** Where in an attack the alerts were, and how much of each tactic is watched at all. */
function Tactics() {
  const { w, number } = useWords()
  const path = session.may('detections:read') ? '/detections/coverage' : null
  const read = useRead<Coverage>(path, { on: ['rule'] })
  if (!path) return null
  return (
    <section class="block">
      <h2>{w.attack}</h2>
      <ReadState read={read} rows={8}>
        {({ tactics }) => (
          <ul class="bars tactic-bars">
            {tactics.map(({ id, name, techniques, covered_techniques, alerts_30d }) => (
              <li key={id} data-lit={alerts_30d > 0}>
                <a href="/rules/coverage">
                  <span>{name}</span>
                  <meter min={0} max={Math.max(1, techniques)} value={covered_techniques} />
                  <b>{number(alerts_30d)}</b>
                </a>
              </li>
            ))}
          </ul>
        )}
      </ReadState>
      <p class="soft">{w.attackHint}</p>
    </section>
  )
}
