import type { Approval } from '@manara/soc-contract/approvals'
import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api, attempt, clock, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Status } from '../../parts/badges.tsx'
import { personIn } from '../../parts/sentence.ts'
import { ShownOf } from '../../parts/shown-of.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { localTime, Moment } from '../../parts/when.tsx'
import { Exactly } from './exactly.tsx'
import { inPlace } from './in-place.ts'
import { RunApproved } from './run-approved.tsx'
import { useWords } from './words.ts'

/** At first, and as many as the service gives at once. */
const FEW = 50
const MOST = 200

/** What waits for a second person: the exact steps, parameters and targets, and nothing else is run. */
export function Approvals() {
  const { w } = useWords()
  const open = useQuery().get('open')
  const limit = useSignal(FEW)
  const path = `/approvals?order=asc&limit=${limit.value}`
  const read = useRead<ListOf<Approval>>(path, { on: ['approval'] })
  /** Nothing moves under a hand that is about to approve: what is decided stays, new ones follow. */
  const shown = useRef<string[]>([])
  if (open && !shown.current.includes(open)) shown.current = [open, ...shown.current]
  shown.current = inPlace(shown.current, read.data?.items.map(({ id }) => id) ?? shown.current)
  return (
    <ReadState read={read} rows={6}>
      {({ items, total }) =>
        shown.current.length === 0 ? (
          <Empty icon="check" title={w.noApprovals} text={w.noApprovalsText} />
        ) : (
          <>
            <ul class="approvals">
              {shown.current.map((id) => {
                const approval = items.find((one) => one.id === id)
                return (
                  <li key={id}>
                    {approval ? (
                      <One
                        approval={approval}
                        isOpen={id === open}
                        same={sameAs(approval, items)}
                      />
                    ) : (
                      <Decided id={id} isOpen={id === open} />
                    )}
                  </li>
                )
              })}
            </ul>
            <ShownOf list={{ items, total }} said={w.shownOf} limit={limit} most={MOST} />
          </>
        )
      }
    </ReadState>
  )
}

/** One that somebody came for, or has in sight, which waits no more. */
function Decided({ id, isOpen }: { id: string; isOpen: boolean }) {
  const path = `/approvals/${encodeURIComponent(id)}`
  const read = useRead<Approval>(path, { on: ['approval'], about: id })
  return (
    <ReadState read={read} rows={4}>
      {(approval) => <One approval={approval} isOpen={isOpen} />}
    </ReadState>
  )
}

/** Others that wait for exactly the same. */
const sameAs = ({ id, sha256 }: Approval, waiting: Approval[]) =>
  waiting.filter((other) => other.sha256 === sha256 && other.id !== id)

type OneProps = { approval: Approval; isOpen: boolean; same?: Approval[] }

function One({ approval, isOpen, same = [] }: OneProps) {
  const { w, fill } = useWords()
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpen) article.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const reason = useSignal('')
  const me = session.me.value?.username ?? ''
  const isOwn = approval.requested_by === me && !approval.requester_decides
  const isDeserted = approval.approvers_left?.length === 0
  const isInTheirPlace = isDeserted && session.me.value?.role === 'admin'
  const isForOthers =
    approval.approvers !== null && !approval.approvers.includes(me) && !isInTheirPlace
  const isOver = Date.parse(approval.expires_at) < clock.value
  // What was rejected, or run in time, has no end to be late for.
  const isStanding = ['pending', 'approved', 'timeout'].includes(approval.status)
  const until = fill(w.left, { time: localTime(approval.expires_at) })
  const decide = (approved: boolean) =>
    attempt(async () => {
      await api.post(`/approvals/${approval.id}/decide`, {
        approved,
        ...(reason.value && { reason: reason.value }),
      })
      await reads.renew('/approvals', '/soar', '/agents')
      // Who asked repeats it; what a trigger began goes on by itself.
      const isRepeated = approval.kind === 'playbook' && approval.execution_id === null
      const who = personIn(approval.requested_by)
      notices.done(approved ? (isRepeated ? fill(w.approvedFor, { who }) : w.approved) : w.rejected)
    })
  return (
    <article class="approval" ref={article} data-open={isOpen}>
      <header>
        <h2 dir="auto">
          {approval.kind === 'playbook' && approval.playbook_name
            ? fill(w.runs, { name: approval.playbook_name })
            : approval.action}
        </h2>
        <p class="soft">
          {fill(w.asked, { who: personIn(approval.requested_by) })},{' '}
          <Moment at={approval.created_at} />
          {isStanding && (isOver ? <b class="bad">, {w.expired}</b> : `, ${until}`)}
        </p>
      </header>
      {approval.justification && (
        <p dir="auto">
          <b>{w.because}</b> {approval.justification}
        </p>
      )}
      <Exactly approval={approval} />
      {same.length > 0 && (
        <p class="note">
          {fill(w.same, { who: same.map((one) => personIn(one.requested_by)).join(', ') })}
        </p>
      )}
      {isDeserted && (
        <p class="note">{fill(w.deserted, { who: approval.approvers?.join(', ') ?? '' })}</p>
      )}
      {approval.status !== 'pending' ? (
        <Outcome approval={approval} isOver={isOver} />
      ) : isOwn ? (
        <p class="note">{w.own}</p>
      ) : isForOthers ? (
        <p class="note">{fill(w.others, { who: approval.approvers?.join(', ') ?? '' })}</p>
      ) : approval.decision_refused ? (
        <p class="note">
          <b>{w.notYou}</b> {approval.decision_refused}
        </p>
      ) : (
        !isOver && (
          <div class="decide">
            <TextField label={w.reason} hint={w.reasonHint} of={reason} />
            <div class="acts">
              <Act look="main" onClick={() => decide(true)}>
                {w.approve}
              </Act>
              <Act look="danger" onClick={() => decide(false)}>
                {w.reject}
              </Act>
            </div>
          </div>
        )
      )}
    </article>
  )
}

/** What became of it, and the run that it allows. */
function Outcome({ approval, isOver }: { approval: Approval; isOver: boolean }) {
  const { w, fill } = useWords()
  const { id, kind, status, decided_by, reason, playbook_id, execution_id } = approval
  const mayRun =
    kind === 'playbook' && status === 'approved' && execution_id === null && !isOver && playbook_id
  return (
    <div class="decide">
      <p>
        <Status value={status} /> {decided_by && fill(w.decidedBy, { who: personIn(decided_by) })}{' '}
        {reason && <span dir="auto">{reason}</span>}
      </p>
      {mayRun && session.may('soar:execute') && (
        <div class="acts">
          <RunApproved playbookId={mayRun} id={id} />
        </div>
      )}
      {execution_id && (
        <a class="link" href={`/response/executions?open=${execution_id}`}>
          {w.itsRun}
        </a>
      )}
    </div>
  )
}
