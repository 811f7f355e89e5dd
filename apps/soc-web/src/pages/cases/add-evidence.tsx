import type { EvidenceCreate } from '@manara/soc-contract/evidence'
import type { Log } from '@manara/soc-contract/siem'
import { Choice } from '@manara/ui/parts/choice'
import { type Signal, useSignal } from '@preact/signals'
import { api, attempt, notices, reads, unsent } from '../../here.ts'
import { cutAt } from '../../parts/as-seen.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { KeptNote } from '../../parts/kept-note.tsx'
import { TextArea } from '../../parts/text-area.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FileHash } from './file-hash.tsx'
import { canHash, sha256, spelled } from './hash.ts'
import { useWords } from './words.ts'

type Draft = Pick<EvidenceCreate, 'name' | 'evidence_type' | 'sha256'> & {
  location?: string
  storage_url?: string
  /** What was hashed, where it is short enough to be kept with the entry. */
  notes?: string
}

const MOST_NOTES = 5_000
const KINDS = ['file', 'note', 'event'] as const
type Kind = (typeof KINDS)[number]

/** A piece is entered with its hash: the ledger keeps that it was this, not the thing itself. */
export function AddEvidence({ caseId, onClose }: { caseId: string; onClose(): void }) {
  const { w } = useWords()
  const note = {
    name: unsent.text(`name of a note on ${caseId}`),
    text: unsent.text(`note on ${caseId}`),
  }
  const isBegun = note.text.value !== ''
  const kind = useSignal<Kind>(isBegun ? 'note' : 'file')
  const wasBegun = useSignal(isBegun)
  const forget = () => {
    for (const one of [note.name, note.text]) one.value = ''
    wasBegun.value = false
  }
  const register = ({ notes, ...piece }: Draft) =>
    attempt(async () => {
      const custody = notes ? [{ action: 'collected' as const, notes }] : []
      await api.post(`/cases/${caseId}/evidence`, { ...piece, custody_entries: custody })
      await reads.renew(`/cases/${caseId}`)
      notices.done(w.evidenceAdded)
      // What was typed since it was sent is another note.
      if (piece.evidence_type === 'note' && notes === note.text.value) forget()
    })
  // Who cancels means it; who closes it, to look something up, finds the text again.
  const cancel = () => {
    if (kind.value === 'note') forget()
    onClose()
  }
  const Form = { file: OfFile, note: OfNote, event: OfEvent }[kind.value]
  return (
    <Dialog title={w.addEvidence} onClose={onClose}>
      {canHash() ? (
        <Choice
          label={w.evidenceKind}
          isLabelHidden
          value={kind.value}
          options={KINDS.map((value) => ({ value, label: w.evidenceKinds[value] }))}
          onChoose={(value) => {
            kind.value = value
          }}
        />
      ) : (
        <p class="note">{w.noHashing}</p>
      )}
      {kind.value === 'note' && wasBegun.value && <KeptNote onDiscard={forget} />}
      <Form note={note} onRegister={register} onClose={cancel} />
    </Dialog>
  )
}

type FormProps = {
  note: { name: Signal<string>; text: Signal<string> }
  onRegister(draft: Draft): Promise<boolean>
  onClose(): void
}

function OfFile({ onRegister, onClose }: FormProps) {
  const { w } = useWords()
  const name = useSignal('')
  const ofFile = useSignal('')
  const hash = useSignal('')
  const location = useSignal('')
  const url = useSignal('')
  return (
    <DialogForm
      sendLabel={w.register}
      isReady={name.value.trim() !== '' && /^[0-9a-f]{64}$/i.test(hash.value)}
      onSend={() =>
        onRegister({
          ...{ name: name.value, evidence_type: 'file', sha256: hash.value },
          ...(location.value ? { location: location.value } : {}),
          ...(url.value ? { storage_url: url.value } : {}),
        })
      }
      onClose={onClose}
    >
      <FileHash
        of={hash}
        onFile={(file) => {
          // A name that was typed stays, that of a file chosen before does not.
          if (name.value === ofFile.value) name.value = file.name
          ofFile.value = file.name
        }}
      />
      <TextField label={w.evidenceName} of={name} />
      <TextField label={w.evidenceLocation} hint={w.locationHint} of={location} />
      <TextField label={w.storageUrl} hint="s3://evidence/disk-7.img" of={url} />
    </DialogForm>
  )
}

function OfNote({ note: { name, text }, onRegister, onClose }: FormProps) {
  const { w } = useWords()
  const add = async () =>
    onRegister({
      ...{ name: name.value, evidence_type: 'note', notes: text.value },
      sha256: await sha256(text.value),
    })
  return (
    <DialogForm
      sendLabel={w.register}
      isReady={name.value.trim() !== '' && text.value.trim() !== ''}
      onSend={add}
      onClose={onClose}
    >
      <TextField label={w.evidenceName} of={name} />
      <TextArea label={w.noteText} hint={w.noteHint} of={text} most={MOST_NOTES} />
    </DialogForm>
  )
}

/** Looked for first; then what was found is entered. */
function OfEvent({ onRegister, onClose }: FormProps) {
  const { w } = useWords()
  const id = useSignal('')
  const last = useSignal<Log | null>(null)
  // Another id is another event: what was found before it is not entered in its place.
  const found = last.value?.id === id.value.trim() ? last.value : null
  const look = async () => {
    await attempt(async () => {
      last.value = await api.get<Log>(`/siem/logs/${encodeURIComponent(id.value.trim())}`)
    })
    return false
  }
  const add = async (event: Log) => {
    const text = spelled(event)
    return onRegister({
      ...{ name: `${event.source}: ${event.message}`.slice(0, 200), evidence_type: 'log_event' },
      sha256: await sha256(text),
      ...(text.length <= MOST_NOTES ? { notes: text } : {}),
    })
  }
  return (
    <DialogForm
      sendLabel={found ? w.register : w.findEvent}
      isReady={id.value.trim() !== ''}
      onSend={() => (found ? add(found) : look())}
      onClose={onClose}
    >
      <TextField label={w.eventId} hint={w.eventHint} of={id} />
      {found && (
        <p class="note mono" dir="auto">
          {found.timestamp} {found.source} {cutAt(300, found.message)}
        </p>
      )}
    </DialogForm>
  )
}
