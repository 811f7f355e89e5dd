import type { RuleImportResult } from '@manara/soc-contract/detection-content'
import { Switch } from '@manara/ui/parts/switch'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, attempt, notices, reads } from '../../here.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { evenPreviewed } from '../../stores/api.ts'
import { useWords } from './words.ts'

type File = { name: string; content: string }

/** Every rule is taken or refused, and it is said which and why. */
export function ImportRules({ onClose }: { onClose(): void }) {
  const { w, count, fill, t } = useWords()
  const id = useId()
  const pasted = useSignal('')
  const files = useSignal<File[]>([])
  const isOn = useSignal(true)
  const result = useSignal<RuleImportResult | null>(null)
  const isHere = useIsHere()
  const countsOf = (reply: RuleImportResult) =>
    [
      count(w.taken, reply.imported),
      count(w.renewed, reply.updated),
      count(w.refused, reply.skipped.length),
    ].join(', ')
  const choose = (chosen: globalThis.File[]) =>
    attempt(async () => {
      // What was chosen before is not what is named now, also where that cannot be read.
      files.value = []
      files.value = await Promise.all(
        chosen.map(async (file) => ({ name: file.name, content: await file.text() })),
      )
    })
  const send = async () => {
    await attempt(async () => {
      const all = [...files.value]
      if (pasted.value.trim()) all.push({ name: 'pasted.yml', content: pasted.value })
      const path = `/detections/rules/import?enable=${isOn.value}`
      await evenPreviewed(api.post<RuleImportResult>(path, { files: all }), (reply) => {
        result.value = reply
        if (!isHere()) notices.done(fill(w.importedLate, { what: countsOf(reply) }))
      })
      await reads.renew('/detections')
    })
    return false
  }
  return (
    <Dialog title={w.importTitle} onClose={onClose}>
      <DialogForm
        sendLabel={w.importDo}
        closeLabel={t.close}
        isReady={pasted.value.trim() !== '' || files.value.length > 0}
        onSend={send}
        onClose={onClose}
      >
        <p>{w.importText}</p>
        <div class="field">
          <label for={id}>YAML</label>
          <textarea
            id={id}
            value={pasted.value}
            onInput={({ currentTarget }) => {
              pasted.value = currentTarget.value
            }}
          />
        </div>
        <div class="field">
          <label for={`${id}-files`}>{w.files}</label>
          <input
            id={`${id}-files`}
            type="file"
            multiple
            accept=".yml,.yaml"
            onChange={({ currentTarget }) => void choose([...(currentTarget.files ?? [])])}
          />
        </div>
        <Switch
          label={w.importOn}
          isOn={isOn.value}
          onSwitch={(next) => {
            isOn.value = next
          }}
        />
      </DialogForm>
      {result.value && (
        <section role="status">
          <p>
            <b>{countsOf(result.value)}</b>
          </p>
          <ul class="import-result">
            {result.value.skipped.map(({ file, reason }) => (
              <li key={file} class="bad">
                {file}: {reason}
              </li>
            ))}
            {result.value.items.slice(0, 200).map(({ id: key, name, action, warnings }) => (
              <li key={key}>
                <a class="link" href={`/rules/${key}`}>
                  {name}
                </a>{' '}
                {action} {warnings.length > 0 && <span class="soft">{warnings.join('; ')}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
