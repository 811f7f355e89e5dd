import type { CaseDetail } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, attempt, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Age } from '../../parts/when.tsx'
import { useWords } from './words.ts'

export function Comments({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w } = useWords()
  const typed = useSignal('')
  const id = useId()
  const send = () =>
    attempt(async () => {
      await api.post(`/cases/${found.id}/comments`, { body: typed.value })
      typed.value = ''
      await reads.renew(`/cases/${found.id}`)
    })
  return (
    <section>
      <h3>{w.comments}</h3>
      <ul class="comments">
        {found.comments.map(({ id: key, author, body, created_at }) => (
          <li key={key}>
            <p class="soft">
              <b>{author}</b> <Age at={created_at} />
            </p>
            <Markdown text={body} />
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div class="field">
          <label for={id}>{w.comment}</label>
          <textarea
            id={id}
            placeholder={w.commentHint}
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
          />
          <div class="acts">
            <Act disabled={typed.value.trim() === ''} onClick={() => void send()}>
              {w.send}
            </Act>
          </div>
        </div>
      )}
    </section>
  )
}
