import type { Attestation, AttestationClaims } from '@manara/soc-contract/cps'
import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { api, attempt, notices, reads } from '../../here.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useWords } from './words.ts'

export type Answer = Attestation & { claims: AttestationClaims }

/** The newest answer, if it is not as it should be: somebody may have changed the device on purpose. */
export function acceptable(items: readonly Attestation[]): Answer | undefined {
  const newest = items.find(({ status }) => status === 'answered')
  const isToAccept = newest && newest.claims !== null && newest.verdict !== 'affirming'
  return isToAccept ? (newest as Answer) : undefined
}

/** Whoever accepts sees what: the next answers are compared with it. */
export function Accept({ answer, onClose }: { answer: Answer; onClose(): void }) {
  const { w } = useWords()
  const note = useSignal('')
  const accept = () =>
    attempt(async () => {
      const text = note.value.trim()
      await api.post(`/cps/attestations/${answer.id}/accept`, text ? { note: text } : {})
      await reads.renew('/cps')
      notices.done(w.accepted)
    })
  const { firmware, measurements } = answer.claims
  return (
    <Dialog title={w.acceptTitle} onClose={onClose}>
      <DialogForm sendLabel={w.accept} onSend={accept} onClose={onClose}>
        <p>{w.acceptText}</p>
        <p dir="auto">{answer.reason}</p>
        <dl class="facts">
          <dt>{w.columns.firmware}</dt>
          <dd>
            {firmware.name} {firmware.version} <code class="mono">{firmware.sha256}</code>
          </dd>
          {measurements.map(({ name, sha256 }) => (
            <Fragment key={name}>
              <dt dir="auto">{name}</dt>
              <dd>
                <code class="mono">{sha256}</code>
              </dd>
            </Fragment>
          ))}
        </dl>
        <TextField label={w.why} of={note} />
      </DialogForm>
    </Dialog>
  )
}
