import type { Execution } from '@manara/soc-contract/playbooks'
import { Empty } from '@manara/ui/parts/empty'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Status } from '../../parts/badges.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RecordsWithPanel } from '../../parts/records-with-panel.tsx'
import { Said } from '../../parts/said.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { recordsOf, Values } from '../../parts/what-is-done.tsx'
import { Age, Moment } from '../../parts/when.tsx'
import { ActionName } from './action-name.tsx'
import { useWords } from './words.ts'

const OVER = ['completed', 'failed', 'cancelled', 'timed_out']

export function Executions() {
  const { w } = useWords()
  const { columns } = w
  return (
    <RecordsWithPanel<Execution>
      label={w.executions}
      path="/soar/executions?limit=100"
      on={['execution']}
      empty={
        <Empty icon="play" title={w.noExecutions} text={w.noExecutionsText}>
          <a class="button" href="/response/playbooks">
            {w.playbooks}
          </a>
        </Empty>
      }
      columns={[
        {
          name: columns.name,
          cell: ({ playbook_name, dry_run }) => (
            <>
              <b>{playbook_name}</b> {dry_run && <span class="chip">{w.rehearsal}</span>}
            </>
          ),
        },
        { name: columns.status, cell: ({ status }) => <Status value={status} /> },
        {
          name: columns.steps,
          isNumber: true,
          cell: ({ steps_completed, steps_total }) => `${steps_completed} / ${steps_total}`,
        },
        { name: columns.by, cell: ({ requested_by }) => <Said text={requested_by} /> },
        { name: columns.when, isNumber: true, cell: ({ created_at }) => <Age at={created_at} /> },
      ]}
      One={One}
    />
  )
}

function One({ id, onClose }: { id: string; onClose(): void }) {
  const { w } = useWords()
  const read = useRead<Execution>(`/soar/executions/${id}`, { on: ['execution'] })
  const ask = (what: 'cancel' | 'rollback', said: string) =>
    attempt(async () => {
      await api.post(`/soar/executions/${id}/${what}`)
      await reads.renew('/soar')
      notices.done(said)
    })
  return (
    <Panel label={w.executions} onClose={onClose} title={read.data?.playbook_name ?? ''}>
      <ReadState read={read} rows={5}>
        {(execution) => {
          const isOver = OVER.includes(execution.status)
          return (
            <>
              <Status value={execution.status} />
              {execution.error && <p class="bad">{execution.error}</p>}
              {session.may('soar:execute') && !execution.dry_run && (
                <div class="acts">
                  {isOver ? (
                    execution.rollback === 'none' && (
                      <Act look="danger" onClick={() => ask('rollback', w.rolledBack)}>
                        {w.rollback}
                      </Act>
                    )
                  ) : (
                    <Act look="danger" onClick={() => ask('cancel', w.cancelled)}>
                      {w.cancel}
                    </Act>
                  )}
                </div>
              )}
              <Values of={{ ...execution.parameters, ...recordsOf(execution) }} />
              <ol class="steps">
                {execution.steps.map((step) => (
                  <li key={step.id}>
                    <ActionName of={step.action} /> <Status value={step.status} />
                    {step.completed_at && (
                      <p class="soft">
                        <Moment at={step.completed_at} />
                      </p>
                    )}
                    {step.error && <p class="bad">{step.error}</p>}
                    {step.output && (
                      <details>
                        <summary>{w.output}</summary>
                        <Values of={step.output} />
                      </details>
                    )}
                  </li>
                ))}
              </ol>
            </>
          )
        }}
      </ReadState>
    </Panel>
  )
}
