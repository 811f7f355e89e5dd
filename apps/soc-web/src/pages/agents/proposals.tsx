import type { ListOf } from '@manara/soc-contract/lists'
import type { Proposal } from '@manara/soc-contract/proposals'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Said } from '../../parts/said.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { WhatIsDone } from '../../parts/what-is-done.tsx'
import { Age } from '../../parts/when.tsx'
import { useWords } from './words.ts'

/** What agents would do, for a person to accept, reject or undo. */
export function Proposals() {
  const { w } = useWords()
  const read = useRead<ListOf<Proposal>>('/agents/proposals?limit=50', { on: ['proposal'] })
  return (
    <ReadState read={read} rows={6}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="check" title={w.noProposals} text={w.noProposalsText} />
        ) : (
          <ul class="approvals">
            {items.map((proposal) => (
              <li key={proposal.id}>
                <Open proposal={proposal} />
              </li>
            ))}
          </ul>
        )
      }
    </ReadState>
  )
}

function Open({ proposal }: { proposal: Proposal }) {
  const { w, t } = useWords()
  const reason = useSignal('')
  const base = `/agents/proposals/${proposal.id}`
  const settle = (path: string, body: object, said: string, mayUndo: boolean) =>
    attempt(async () => {
      await api.post(`${base}/${path}`, body)
      await reads.renew('/agents')
      const undo = { label: t.undo, run: () => void settle('undo', {}, w.undone, false) }
      notices.done(said, mayUndo ? undo : undefined)
    })
  return (
    <article class="approval">
      <header>
        <h2 dir="auto">{proposal.title}</h2>
        <p class="soft">
          <Said text={proposal.proposed_by} />, <Age at={proposal.created_at} />{' '}
          <span class="chip">{proposal.effect === 'acts' ? w.acts : w.records}</span>
        </p>
      </header>
      <ul class="why">
        {proposal.rationale.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <section class="exactly">
        <h3>{w.does}</h3>
        <WhatIsDone told={proposal.action}>
          <dl class="facts">
            <dt>{w.risk}</dt>
            <dd dir="auto">{proposal.risk}</dd>
            <dt>{w.wayBack}</dt>
            <dd dir="auto">{proposal.way_back}</dd>
          </dl>
        </WhatIsDone>
      </section>
      {session.may('investigation:trigger') && (
        <div class="decide">
          <TextField label={w.reason} hint={w.rejectNeeds} of={reason} />
          <div class="acts">
            <Act
              look="main"
              onClick={() => settle('accept', { reason: reason.value || null }, w.accepted, true)}
            >
              {w.accept}
            </Act>
            <Act
              look="danger"
              disabled={reason.value.trim() === ''}
              onClick={() => settle('reject', { reason: reason.value }, w.rejected, true)}
            >
              {w.reject}
            </Act>
          </div>
        </div>
      )}
    </article>
  )
}
