import type { ListOf } from '@manara/soc-contract/lists'
import type { Reparse } from '@manara/soc-contract/reparse'
import { api, attempt, reads } from '../../../here.ts'
import { Act } from '../../../parts/act.tsx'
import { cutAt } from '../../../parts/as-seen.ts'
import { Status } from '../../../parts/badges.tsx'
import { ReadState } from '../../../parts/state.tsx'
import { useRead } from '../../../parts/use-read.ts'
import { Age } from '../../../parts/when.tsx'
import { withQuery } from '../../../stores/api.ts'
import { useWords } from './words.ts'

/** What is stored already is read with the parsers of now: first counted, then done. */
export function ReadAgain({ source }: { source: string }) {
  const { w } = useWords()
  const read = useRead<ListOf<Reparse>>(withQuery('/siem/reparse', { source, limit: 5 }), {
    on: ['reparse'],
  })
  const begin = (isTrial: boolean) =>
    attempt(async () => {
      await api.post('/siem/reparse', { source, dry_run: isTrial })
      await reads.renew('/siem/reparse')
    })
  const isBusy = read.data?.items.some(isUnderWay) ?? false
  return (
    <div class="stack">
      <h3>{w.again.title}</h3>
      <p class="soft">{w.again.text}</p>
      <div class="acts">
        <Act disabled={isBusy} onClick={() => begin(true)}>
          {w.again.count}
        </Act>
        <Act disabled={isBusy} onClick={() => begin(false)}>
          {w.again.begin}
        </Act>
      </div>
      <ReadState read={read} rows={2}>
        {({ items }) => (
          <ul class="parser-events">
            {items.map((task) => (
              <li key={task.id}>
                <Task task={task} />
              </li>
            ))}
          </ul>
        )}
      </ReadState>
    </div>
  )
}

const isUnderWay = ({ status }: Reparse) => status === 'queued' || status === 'running'

function Task({ task }: { task: Reparse }) {
  const { w, count, percent } = useWords()
  const stop = () =>
    attempt(async () => {
      await api.remove(`/siem/reparse/${task.id}`)
      await reads.renew('/siem/reparse')
    })
  const { changed, failed, too_new, dry_run } = task
  return (
    <>
      <p>
        <Status value={task.status} /> {dry_run && <span class="chip">{w.again.trial}</span>}{' '}
        <span class="soft">{task.created_by}</span> <Age at={task.created_at} />
      </p>
      {isUnderWay(task) && (
        <div class="parser-task">
          <progress value={task.progress} aria-label={w.again.title} />
          <span class="num">{percent(Math.round(task.progress * 100))}</span>
          <Act onClick={() => stop()}>{w.again.cancel}</Act>
        </div>
      )}
      <p role="status">
        {count(w.again.read, task.read)}{' '}
        <b>{count(dry_run ? w.again.wouldChange : w.again.changed, changed)}</b>
        {failed > 0 && <span class="bad"> {count(w.again.failed, failed)}</span>}
        {too_new > 0 && <span class="soft"> {count(w.again.tooNew, too_new)}</span>}
      </p>
      {task.error && <p class="bad">{task.error}</p>}
      {task.examples.slice(0, 3).map(({ log_id, message, changes }) => (
        <details key={log_id}>
          <summary class="mono">{cutAt(300, message)}</summary>
          <dl class="raw">
            {changes.map(({ field, before, after }) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd>
                  {before !== null && before !== '' && <del>{String(before)}</del>} {String(after)}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </>
  )
}
