import type { Alert, AlertStatus } from '@manara/soc-contract/alerts'
import type { CaseDetail } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { asSeen } from '../../parts/as-seen.ts'
import { Severity, Status } from '../../parts/badges.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RecordName } from '../../parts/record-name.tsx'
import { Said } from '../../parts/said.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useRead } from '../../parts/use-read.ts'
import { Moment } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { Context, Why } from './alert-context.tsx'
import { FalsePositive } from './false-positive.tsx'
import { useWords } from './words.ts'

type AlertPanelProps = {
  id: string
  /** As its row has it now, which hears of changes at once; all of it, or as much as a row shows. */
  row: Alert | undefined
  isRowWhole: boolean
  onClose(): void
  onSettle(status: AlertStatus): Promise<void>
}

/** Lest somebody work on what a colleague has just settled or taken. */
const inRow = ({ status, assignee, occurrence_count, last_seen_at }: Alert) => ({
  ...{ status, assignee, occurrence_count, last_seen_at },
})

const pathOf = (id: string) => `/alerts/${id}`

/** What a change has answered is shown; what a preview would have changed is not. */
function showChanged(alert: Alert & { preview?: boolean }) {
  if (!alert.preview) reads.put(pathOf(alert.id), alert)
}

/** The story of one alert, the events behind it, and what to do about it. */
export function AlertPanel({ id, row, isRowWhole, onClose, onSettle }: AlertPanelProps) {
  const { w } = useWords()
  const known = isRowWhole ? row : undefined
  const read = useRead<Alert>(pathOf(id), { on: ['alert'], about: id, known })
  const alert = read.data && row ? { ...read.data, ...inRow(row) } : read.data
  return (
    <Panel
      label={w.detail}
      onClose={onClose}
      head={
        alert && (
          <>
            <Severity value={alert.severity} />
            <Status value={alert.status} />
          </>
        )
      }
    >
      <ReadState read={{ ...read, data: alert }} rows={6}>
        {(shown) => <Story alert={shown} onSettle={onSettle} />}
      </ReadState>
    </Panel>
  )
}

function Story({
  alert,
  onSettle,
}: {
  alert: Alert
  onSettle(status: AlertStatus): Promise<void>
}) {
  const { w, t, count } = useWords()
  const isDoubted = useSignal(false)
  const mayWrite = session.may('alerts:write')
  const me = session.me.value?.username ?? ''

  const promote = () =>
    attempt(async () => {
      if (alert.case_id) return route.go(`/cases/${alert.case_id}`)
      const opened = await api.post<CaseDetail>(`/alerts/${alert.id}/promote`)
      await Promise.all([reads.renewOne(pathOf(alert.id)), reads.renew('/cases')])
      notices.done(w.promoted, { label: w.show, run: () => route.go(`/cases/${opened.id}`) })
    })
  const assign = () =>
    attempt(async () => {
      showChanged(await api.patch<Alert>(pathOf(alert.id), { assignee: me }))
      notices.done(w.assigned)
    })
  const doubt = () => {
    isDoubted.value = true
  }
  const investigate = () => route.go(`/investigate?alert=${alert.id}`)
  useCommands([
    ...(mayWrite && session.may('cases:write')
      ? [{ id: 'promote', title: w.promote, keys: 'p', group: 'page', run: () => void promote() }]
      : []),
    ...(mayWrite
      ? [
          { id: 'assign', title: w.assign, keys: 'a', group: 'page', run: () => void assign() },
          { id: 'doubt', title: w.falsePositive, keys: 'f', group: 'page', run: doubt },
        ]
      : []),
    ...(session.may('investigation:trigger')
      ? [{ id: 'investigate', title: w.investigate, keys: 'i', group: 'page', run: investigate }]
      : []),
  ])
  return (
    <>
      <h2 dir="auto">{asSeen(alert.title)}</h2>
      <div class="acts">
        {mayWrite && (
          <>
            {session.may('cases:write') && (
              <Act look="main" keys="p" onClick={promote}>
                {alert.case_id ? w.openCase : w.promote}
              </Act>
            )}
            <Act keys="t" onClick={() => onSettle('triaged')}>
              {w.triage}
            </Act>
            <Act keys="e" onClick={() => onSettle('closed')}>
              {w.closeIt}
            </Act>
            <Act keys="f" onClick={doubt}>
              {w.falsePositive}
            </Act>
          </>
        )}
        {session.may('investigation:trigger') && (
          <Act keys="i" onClick={investigate}>
            {w.investigate}
          </Act>
        )}
      </div>
      {alert.description && (
        <p class="description" dir="auto">
          {asSeen(alert.description)}
        </p>
      )}
      <dl class="facts">
        <dt>{w.host}</dt>
        <dd class="mono">
          {alert.host ? (
            <a class="link" href={withQuery('/alerts', { host: alert.host, status: 'all' })}>
              {asSeen(alert.host)}
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
        <dd dir="auto">{asSeen(alert.source)}</dd>
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
          {mayWrite && alert.assignee !== me && (
            <Act look="plain" keys="a" onClick={assign}>
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
                  href={withQuery('/search', { q: JSON.stringify(ioc), last: 'all' })}
                >
                  {asSeen(ioc)}
                </a>
              ))}
            </dd>
          </>
        )}
      </dl>
      <Why alert={alert} />
      <Context alert={alert} />
      {isDoubted.value && (
        <FalsePositive
          alert={alert}
          onClosed={showChanged}
          onClose={() => {
            isDoubted.value = false
          }}
        />
      )}
    </>
  )
}
