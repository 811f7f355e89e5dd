import type { Alert, AlertStatus } from '@manara/soc-contract/alerts'
import type { CaseDetail } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Severity, Status } from '../../parts/badges.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useRead } from '../../parts/use-read.ts'
import { Context, Why } from './alert-context.tsx'
import { Facts } from './alert-facts.tsx'
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

/** What a change has answered is shown. */
const showChanged = (alert: Alert) => reads.put(pathOf(alert.id), alert)

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
  const { w } = useWords()
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
      <h2 dir="auto">{alert.title}</h2>
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
          {alert.description}
        </p>
      )}
      <Facts alert={alert} onAssign={assign} />
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
