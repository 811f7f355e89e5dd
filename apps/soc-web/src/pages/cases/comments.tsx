import type { CaseDetail } from '@manara/soc-contract/cases'
import { api, attempt, reads, unsent } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Said } from '../../parts/said.tsx'
import { TextArea } from '../../parts/text-area.tsx'
import { Age } from '../../parts/when.tsx'
import { takeSent } from '../../stores/unsent.ts'
import { countOf, Latest } from './latest.tsx'
import { useWords } from './words.ts'

export function Comments({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w } = useWords()
  const typed = unsent.text(`comment on ${found.id}`)
  const send = () =>
    attempt(async () => {
      const body = typed.value
      await api.post(`/cases/${found.id}/comments`, { body })
      takeSent(typed, body)
      await reads.renew(`/cases/${found.id}`)
    })
  return (
    <section>
      <h3>{w.comments}</h3>
      <Latest items={found.comments} total={countOf(found, 'comments')}>
        {(comments) => (
          <ul class="comments">
            {comments.map(({ id: key, author, body, created_at }) => (
              <li key={key}>
                <p class="soft">
                  <b>
                    <Said text={author} />
                  </b>{' '}
                  <Age at={created_at} />
                </p>
                <Markdown text={body} />
              </li>
            ))}
          </ul>
        )}
      </Latest>
      {mayWrite && (
        <div class="stack">
          <TextArea label={w.comment} hint={w.commentHint} of={typed} />
          <div class="acts">
            <Act disabled={typed.value.trim() === ''} onClick={() => send()}>
              {w.send}
            </Act>
          </div>
        </div>
      )}
    </section>
  )
}
