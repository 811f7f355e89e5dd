import type { CaseDetail, TaskStatus } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { api, attempt, reads } from '../../here.ts'
import { InlineForm } from '../../parts/inline-form.tsx'
import { Pick } from '../../parts/pick.tsx'
import { takeSent } from '../../stores/unsent.ts'
import { useWords } from './words.ts'

const STATUSES: TaskStatus[] = ['todo', 'in_progress', 'blocked', 'done', 'cancelled']

export function Tasks({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w } = useWords()
  const typed = useSignal('')
  const renew = () => reads.renew(`/cases/${found.id}`)
  const add = () =>
    attempt(async () => {
      const title = typed.value
      await api.post(`/cases/${found.id}/tasks`, { title })
      takeSent(typed, title)
      await renew()
    })
  const move = (id: string, status: string) =>
    attempt(async () => {
      await api.patch(`/cases/${found.id}/tasks/${id}`, { status })
      await renew()
    })
  return (
    <section>
      <h3>{w.tasks}</h3>
      {found.tasks.length === 0 && <p class="soft">{w.noTasks}</p>}
      <ul class="tasks">
        {found.tasks.map((task) => (
          <li key={task.id} data-status={task.status}>
            <span dir="auto">{task.title}</span>
            {mayWrite ? (
              <Pick
                label={task.title}
                value={task.status}
                options={STATUSES.map((value) => ({
                  value,
                  label: w.taskStatuses[value] ?? value,
                }))}
                onPick={(status) => move(task.id, status)}
              />
            ) : (
              <span class="soft">{w.taskStatuses[task.status]}</span>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && <InlineForm label={w.task} of={typed} addLabel={w.add} onAdd={add} />}
    </section>
  )
}
