import type { Approval } from '@manara/soc-contract/approvals'
import type { ListOf } from '@manara/soc-contract/lists'
import { asked, clock, session } from '../../here.ts'
import { Status } from '../../parts/badges.tsx'
import { personIn } from '../../parts/sentence.ts'
import { useRead } from '../../parts/use-read.ts'
import { recordsOf, Values } from '../../parts/what-is-done.tsx'
import { localTime } from '../../parts/when.tsx'
import { RunApproved } from './run-approved.tsx'
import { useWords } from './words.ts'

/** The runs of a playbook that wait for a decision, or that may begin since it was made. */
export function AskedRuns({ playbookId }: { playbookId: string }) {
  const { w } = useWords()
  const mayRead = session.may('approvals:manage')
  const read = useRead<ListOf<Approval>>(
    mayRead ? `/approvals?status=all&limit=50&playbook_id=${encodeURIComponent(playbookId)}` : null,
    { on: ['approval'] },
  )
  const rows = mayRead
    ? (read.data?.items ?? [])
        .filter(isToBeRun)
        .map((approval) => <Known key={approval.id} approval={approval} />)
    : asked
        .of(playbookId)
        .map(({ approvalId, parameters }) => (
          <Own key={approvalId} id={approvalId} of={{ playbookId, parameters }} />
        ))
  if (rows.length === 0) return null
  return (
    <section>
      <h3>{w.askedRuns}</h3>
      <ul class="asked">{rows}</ul>
    </section>
  )
}

/** One that nobody repeats goes on by itself, and is among the executions. */
const isToBeRun = ({ kind, status, execution_id, expires_at }: Approval) =>
  kind === 'playbook' &&
  (status === 'pending' || status === 'approved') &&
  execution_id === null &&
  Date.parse(expires_at) > clock.value

function Known({ approval }: { approval: Approval }) {
  const { w, fill } = useWords()
  const { id, playbook_id, status, parameters } = approval
  return (
    <li>
      <p>
        <Status value={status} />{' '}
        <span class="soft">
          {fill(w.asked, { who: personIn(approval.requested_by) })},{' '}
          {fill(w.left, { time: localTime(approval.expires_at) })}
        </span>
      </p>
      <Values of={{ ...parameters, ...recordsOf(approval) }} />
      <div class="acts">
        {status === 'approved' && playbook_id && session.may('soar:execute') && (
          <RunApproved playbookId={playbook_id} id={id} />
        )}
        <a class="act" href={`/response/approvals?open=${id}`}>
          {w.theApproval}
        </a>
      </div>
    </li>
  )
}

type OwnProps = {
  id: string
  of: { playbookId: string; parameters: Record<string, unknown> }
}

/** Who may not read all approvals reads their own; nobody tells them when it is decided. */
function Own({ id, of }: OwnProps) {
  const { w } = useWords()
  const { data } = useRead<Approval>(`/approvals/${id}`)
  const isOver = data !== undefined && data.status !== 'pending' && data.status !== 'approved'
  return (
    <li>
      <p>
        {data && <Status value={data.status} />}{' '}
        <span class="soft" dir="auto">
          {isOver ? data.reason : w.askedText}
        </span>
      </p>
      <Values of={of.parameters} />
      {!isOver && (
        <div class="acts">
          <RunApproved playbookId={of.playbookId} id={id} />
        </div>
      )}
    </li>
  )
}
