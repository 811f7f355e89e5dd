import type { Custody as Entry, Evidence } from '@manara/soc-contract/evidence'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads } from '../../here.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Pick } from '../../parts/pick.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FileHash } from './file-hash.tsx'
import { useWords } from './words.ts'

const ACTIONS: Entry['action'][] = [
  'transferred',
  'accessed',
  'verified',
  'copied',
  'exported',
  'released',
  'collected',
]

/** What happened to a piece; a file that is checked against it says whether it is still the same. */
export function CustodyDialog(props: { caseId: string; piece: Evidence; onClose(): void }) {
  const { caseId, piece, onClose } = props
  const { w } = useWords()
  const action = useSignal<Entry['action']>('transferred')
  const to = useSignal('')
  const notes = useSignal('')
  const hash = useSignal('')
  const isSame = hash.value.toLowerCase() === piece.sha256
  const record = () =>
    attempt(async () => {
      await api.post(`/cases/${caseId}/evidence/${piece.id}/custody`, {
        action: action.value,
        ...(to.value && action.value === 'transferred' ? { to: to.value } : {}),
        ...(notes.value ? { notes: notes.value } : {}),
      })
      await reads.renew(`/cases/${caseId}`)
      notices.done(w.custodyAdded)
    })
  return (
    <Dialog title={piece.name} onClose={onClose}>
      <DialogForm
        sendLabel={w.recordCustody}
        isReady={action.value !== 'verified' || isSame}
        onSend={record}
        onClose={onClose}
      >
        <Pick
          label={w.custodyAction}
          value={action.value}
          options={ACTIONS.map((value) => ({ value, label: w.custodyActions[value] ?? value }))}
          onPick={(picked) => {
            action.value = picked
          }}
        />
        {action.value === 'verified' && (
          <>
            <FileHash of={hash} />
            {hash.value && (
              <p class={isSame ? 'good' : 'bad'} role="status">
                {isSame ? w.sameHash : w.otherHash}
              </p>
            )}
          </>
        )}
        {action.value === 'transferred' && <TextField label={w.custodyTo} of={to} />}
        <TextField label={w.custodyNotes} of={notes} />
      </DialogForm>
    </Dialog>
  )
}
