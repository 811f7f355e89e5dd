import type { Approval } from '@manara/soc-contract/approvals'
import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, clock, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { inWords } from '../../parts/in-words.ts'
import { personIn } from '../../parts/sentence.ts'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Values, WhatIsDone } from '../../parts/what-is-done.tsx'
import { localTime, Moment } from '../../parts/when.tsx'
import { ActionName } from './action-name.tsx'
import { useWords } from './words.ts'

/** What waits for a second person: the exact steps, parameters and targets, and nothing else is run. */
export function Approvals() {
  const { w } = useWords()
  const read = useRead<ListOf<Approval>>('/approvals?limit=50', { on: ['approval'] })
  return (
    <ReadState read={read} rows={6}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="check" title={w.noApprovals} text={w.noApprovalsText} />
        ) : (
          <ul class="approvals">
            {items.map((approval) => (
              <li key={approval.id}>
                <Waiting approval={approval} />
              </li>
            ))}
          </ul>
        )
      }
    </ReadState>
  )
}

function Waiting({ approval }: { approval: Approval }) {
  const { w, t, fill, count } = useWords()
  const reason = useSignal('')
  const me = session.me.value?.username ?? ''
  const isOwn = approval.requested_by === me
  const isDeserted = approval.approvers_left?.length === 0
  const isInTheirPlace = isDeserted && session.me.value?.role === 'admin'
  const isForOthers =
    approval.approvers !== null && !approval.approvers.includes(me) && !isInTheirPlace
  const isOver = Date.parse(approval.expires_at) < clock.value
  const decide = (approved: boolean) =>
    attempt(async () => {
      await api.post(`/approvals/${approval.id}/decide`, {
        approved,
        ...(reason.value && { reason: reason.value }),
      })
      await reads.renew('/approvals', '/soar', '/agents')
      notices.done(approved ? w.approved : w.rejected)
    })
  return (
    <article class="approval">
      <header>
        <h2 dir="auto">
          {approval.kind === 'playbook' && approval.playbook_name
            ? fill(w.runs, { name: approval.playbook_name })
            : approval.action}
        </h2>
        <p class="soft">
          {fill(w.asked, { who: personIn(approval.requested_by) })},{' '}
          <Moment at={approval.created_at} />,{' '}
          {isOver ? (
            <b class="bad">{w.expired}</b>
          ) : (
            fill(w.left, { time: localTime(approval.expires_at) })
          )}
        </p>
      </header>
      {approval.justification && (
        <p dir="auto">
          <b>{w.because}</b> {approval.justification}
        </p>
      )}
      <section class="exactly">
        <h3>{w.exactly}</h3>
        {approval.targets.length > 0 && (
          <>
            <h4>{w.targets}</h4>
            <ul>
              {approval.targets.map(({ step, action, target, seen }) => (
                <li key={`${step} ${target}`}>
                  <ActionName of={action} /> →{' '}
                  <b class="mono">{[target].flat().join(', ') || t.none}</b>
                  {seen?.map(({ value, hosts, days }) => (
                    <p class="soft" key={value}>
                      <span class="mono">{value}</span>{' '}
                      {hosts === null
                        ? w.unseen
                        : `${count(w.onHosts, hosts)} ${count(w.onDays, days ?? 0)}`}
                    </p>
                  ))}
                </li>
              ))}
            </ul>
          </>
        )}
        {approval.steps.length > 0 && (
          <>
            <h4>{w.steps}</h4>
            <ol class="steps">
              {approval.steps.map((step) => (
                <li key={step.id}>
                  <ActionName of={step.action} />
                  <Values of={step.params} />
                </li>
              ))}
            </ol>
          </>
        )}
        {approval.changes.length > 0 && (
          <>
            <h4>{w.changes}</h4>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col" />
                  <th scope="col">{w.before}</th>
                  <th scope="col">{w.after}</th>
                </tr>
              </thead>
              <tbody>
                {approval.changes.map(({ path, before, after }) => (
                  <tr key={path}>
                    <td class="mono">{path}</td>
                    <td>{inWords(before)}</td>
                    <td>{inWords(after)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
        {approval.steps.length === 0 && Object.keys(approval.parameters).length > 0 && (
          <WhatIsDone told={approval.parameters} />
        )}
        <p class="soft">
          {w.fingerprint} <code>{approval.sha256.slice(0, 24)}…</code>
        </p>
      </section>
      {isDeserted && (
        <p class="note">{fill(w.deserted, { who: approval.approvers?.join(', ') ?? '' })}</p>
      )}
      {isOwn ? (
        <p class="note">{w.own}</p>
      ) : isForOthers ? (
        <p class="note">{fill(w.others, { who: approval.approvers?.join(', ') ?? '' })}</p>
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
