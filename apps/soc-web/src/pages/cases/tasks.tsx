import type { CaseDetail, TaskStatus } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { api, attempt, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { useWords } from './words.ts'

const STATUSES: TaskStatus[] = ['todo', 'in_progress', 'blocked', 'done', 'cancelled']

export function Tasks({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w } = useWords()
  const typed = useSignal('')
  const renew = () => reads.renew(`/cases/${found.id}`)
  const add = () =>
    attempt(async () => {
      await api.post(`/cases/${found.id}/tasks`, { title: typed.value })
      typed.value = ''
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
              <select
                class="pick"
                aria-label={task.title}
                value={task.status}
                onChange={({ currentTarget }) => void move(task.id, currentTarget.value)}
              >
                {STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {w.taskStatuses[status]}
                  </option>
                ))}
              </select>
            ) : (
              <span class="soft">{w.taskStatuses[task.status]}</span>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <input
            class="pick"
            aria-label={w.task}
            placeholder={w.task}
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
          />
          <Act disabled={typed.value.trim() === ''} onClick={() => void add()}>
            {w.add}
          </Act>
        </form>
      )}
    </section>
  )
}
