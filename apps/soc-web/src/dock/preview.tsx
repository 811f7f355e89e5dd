import type { Proposal } from '@manara/soc-contract/proposals'
import { api, attempt, reads, session } from '../here.ts'
import { Act } from '../parts/act.tsx'
import { Values } from '../parts/what-is-done.tsx'
import type { Turn } from '../stores/chat.ts'
import { useWords } from './words.ts'

type PreviewProps = { preview: Turn['previews'][number]; onProposed(id: string): void }

/** Exactly what would be proposed. A person proposes it, and somebody else decides. */
export function Preview({ preview, onProposed }: PreviewProps) {
  const { w } = useWords()
  const { proposalId, ...body } = preview
  const propose = () =>
    attempt(async () => {
      const { id } = await api.post<Proposal>('/agents/proposals', body)
      onProposed(id)
      await reads.renew('/agents')
    })
  return (
    <section class="chat-preview" aria-label={w.preview}>
      <p class="chat-ribbon">{w.preview}</p>
      <h3 dir="auto">{body.title}</h3>
      <Values of={body.action} />
      {proposalId ? (
        <p role="status">
          <span class="good">{w.proposed}</span>{' '}
          <a class="link" href="/agents/proposals">
            {w.decide}
          </a>
        </p>
      ) : session.may('investigation:trigger') ? (
        <Act look="main" onClick={() => propose()}>
          {w.propose}
        </Act>
      ) : (
        <p class="soft">{w.mayNot}</p>
      )}
    </section>
  )
}
