import type { Alert } from '@manara/soc-contract/alerts'
import type { Case } from '@manara/soc-contract/cases'
import type { PendingApproval, Playbook, StartedExecution } from '@manara/soc-contract/playbooks'
import { useSignal } from '@preact/signals'
import { api, asked, attempt, notices, reads, route, session } from '../../here.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { RecordSelect } from '../../parts/record-select.tsx'
import { Previewed, Refused } from '../../stores/api.ts'
import { ParameterField } from './parameter-field.tsx'
import { faultOf, firstTyped, valuesOf } from './parameters.ts'
import { useWords } from './words.ts'

type Answer = PendingApproval | StartedExecution
type RunPlaybookProps = { playbook: Playbook; isRehearsal: boolean; onClose(): void }

/** What it is run with and for; a critical one is asked for, and run when somebody has approved it. */
export function RunPlaybook({ playbook, isRehearsal, onClose }: RunPlaybookProps) {
  const { w, fill } = useWords()
  const { id, name, parameters: declared } = playbook
  const typed = useSignal(firstTyped(declared))
  const alert = useSignal<Alert | null>(null)
  const about = useSignal<Case | null>(null)
  const refused = useSignal<Refused | null>(null)
  // They come in no order of their own: first what cannot be left out.
  const fields = Object.entries(declared).toSorted(
    ([, one], [, other]) => Number(other.required) - Number(one.required),
  )
  const isAsked = playbook.is_critical && !isRehearsal
  const isReady = fields.every(([one, parameter]) => !faultOf(parameter, typed.value[one] ?? ''))

  async function send() {
    const parameters = valuesOf(declared, typed.value)
    const records = {
      ...(alert.value && { alert_id: alert.value.id }),
      ...(about.value && { case_id: about.value.id }),
    }
    const body = { parameters, ...records, dry_run: isRehearsal }
    const reply = await api.post<Answer>(`/soar/playbooks/${id}/execute`, body).catch(orRehearsal)
    await reads.renew('/soar', '/approvals')
    if (reply.status !== 'pending_approval') {
      const to = `/response/executions?open=${(reply as StartedExecution).execution_id}`
      notices.done(reply.dry_run ? w.rehearsed : w.started, {
        ...{ label: w.show, run: () => route.go(to) },
      })
      return
    }
    const approvalId = (reply as PendingApproval).approval_id
    asked.add({ approvalId, playbookId: id, parameters: { ...parameters, ...records } })
    const to = `/response/approvals?open=${approvalId}`
    const isSeen = session.may('approvals:manage')
    notices.done(w.waits, isSeen ? { label: w.show, run: () => route.go(to) } : undefined)
  }
  const run = async () => {
    refused.value = null
    const isDone = await attempt(() =>
      send().catch((error) => {
        const isOfField =
          error instanceof Refused && fields.some(([one]) => error.field === `parameters.${one}`)
        if (!isOfField) throw error
        refused.value = error
      }),
    )
    return isDone && refused.value === null
  }
  const problemOf = (one: string) =>
    refused.value?.field === `parameters.${one}` ? refused.value.message : undefined
  const title = fill(isRehearsal ? w.rehearseTitle : w.runTitle, { name })
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        sendLabel={isRehearsal ? w.rehearse : isAsked ? w.ask : w.run}
        isReady={isReady}
        onSend={run}
        onClose={onClose}
      >
        <p class="soft">{isRehearsal ? w.rehearseText : isAsked ? w.askText : w.runText}</p>
        {fields.map(([one, parameter]) => (
          <ParameterField
            key={one}
            name={one}
            of={parameter}
            text={typed.value[one] ?? ''}
            problem={problemOf(one)}
            onType={(text) => {
              typed.value = { ...typed.value, [one]: text }
            }}
          />
        ))}
        <RecordSelect<Alert>
          label={w.forAlert}
          api="/alerts"
          value={alert.value}
          onPick={(item) => {
            alert.value = item
          }}
        />
        <RecordSelect<Case>
          label={w.forCase}
          api="/cases"
          value={about.value}
          onPick={(item) => {
            about.value = item
          }}
        />
      </DialogForm>
    </Dialog>
  )
}

/** In a dry run a rehearsal is kept, and there to be looked at. */
function orRehearsal(error: unknown): Answer {
  const answer = error instanceof Previewed ? (error.answer as Answer) : undefined
  if (answer && 'execution_id' in answer) return answer
  throw error
}
