import type { Playbook } from '@manara/soc-contract/playbooks'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RecordsWithPanel } from '../../parts/records-with-panel.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { AskedRuns } from './asked.tsx'
import { RunPlaybook } from './run-playbook.tsx'
import { Steps } from './steps.tsx'
import { useWords } from './words.ts'

export function Playbooks() {
  const { w, t, percent } = useWords()
  const { columns } = w
  return (
    <RecordsWithPanel<Playbook>
      label={w.playbooks}
      path="/soar/playbooks?limit=100"
      on={['execution']}
      empty={<Empty icon="play" title={w.noPlaybooks} text={w.noPlaybooksText} />}
      columns={[
        {
          name: columns.name,
          cell: ({ name, is_critical }) => (
            <>
              <b dir="auto">{name}</b> {is_critical && <span class="chip">{w.critical}</span>}
            </>
          ),
        },
        { name: columns.trigger, cell: ({ trigger }) => w.triggers[trigger.on] },
        { name: columns.on, cell: ({ enabled }) => (enabled ? t.yes : t.no) },
        { name: columns.steps, isNumber: true, cell: ({ steps }) => steps.length },
        { name: columns.runs, isNumber: true, cell: ({ run_count }) => run_count },
        {
          name: columns.success,
          isNumber: true,
          cell: ({ success_rate }) => (success_rate === null ? '–' : percent(success_rate * 100)),
        },
        {
          name: columns.last,
          isNumber: true,
          cell: ({ last_run_at }) => (last_run_at ? <Age at={last_run_at} /> : '–'),
        },
      ]}
      One={One}
    />
  )
}

function One({ id, onClose }: { id: string; onClose(): void }) {
  const { w } = useWords()
  const read = useRead<Playbook>(`/soar/playbooks/${id}`)
  const running = useSignal<'run' | 'rehearsal' | null>(null)
  return (
    <Panel label={w.playbooks} onClose={onClose} title={read.data?.name ?? ''}>
      <ReadState read={read} rows={5}>
        {(playbook) => (
          <>
            {playbook.description && <p dir="auto">{playbook.description}</p>}
            {session.may('soar:execute') && (
              <>
                <div class="acts">
                  <Act
                    look="main"
                    disabled={!playbook.enabled}
                    onClick={() => {
                      running.value = 'run'
                    }}
                  >
                    {w.run}
                  </Act>
                  <Act
                    disabled={!playbook.enabled}
                    onClick={() => {
                      running.value = 'rehearsal'
                    }}
                  >
                    {w.rehearse}
                  </Act>
                </div>
                {playbook.is_critical && <p class="soft">{w.askText}</p>}
                <AskedRuns playbookId={id} />
              </>
            )}
            <section>
              <h3>{w.steps}</h3>
              <Steps of={playbook.steps} />
            </section>
            {running.value && (
              <RunPlaybook
                playbook={playbook}
                isRehearsal={running.value === 'rehearsal'}
                onClose={() => {
                  running.value = null
                }}
              />
            )}
          </>
        )}
      </ReadState>
    </Panel>
  )
}
