import { Field } from '@manara/ui/parts/field'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal } from '@preact/signals'
import { api, attempt, box, reasons, say } from '../../here.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { words } from './words.ts'

/** A signed image, from this phone or from an address; how far it is comes from the box. */
export function UpdateSheet({ onClose }: { onClose(): void }) {
  const { t, fill, percent } = say.value
  const w = words()
  const url = useSignal('')
  const ota = box.ota.value
  const version = box.system.value?.version ?? ''
  const upload = ([image]: File[]) => attempt(() => api.post('/ota/upload', image))
  const pull = () => attempt(() => api.post('/ota/pull', { url: url.value.trim() }))
  return (
    <Sheet title={w.settings.update} closeLabel={t.close} onClose={onClose}>
      <p>{fill(w.update.runs, { v: version })}</p>
      {ota && ota.status !== 'idle' && (
        <section class="progress" role="status" data-status={ota.status}>
          <p>
            <b>{w.update.statuses[ota.status]}</b>
            {ota.in_progress && <span>{percent(ota.progress)}</span>}
          </p>
          {ota.in_progress && (
            <progress max={100} value={ota.progress} aria-label={w.update.statuses[ota.status]} />
          )}
          {ota.error && (
            <p class="bad" dir="auto">
              {reasons.meaning(ota.error)}
            </p>
          )}
        </section>
      )}
      {!ota?.in_progress && (
        <>
          <FileButton
            look="main"
            label={w.update.choose}
            accept=".img,application/octet-stream"
            onChoose={upload}
          />
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              void pull()
            }}
          >
            <Field
              label={w.update.address}
              value={url.value}
              onType={(text) => {
                url.value = text
              }}
              input={{
                dir: 'ltr',
                type: 'url',
                placeholder: 'https://',
                required: true,
                autocomplete: 'off',
              }}
            />
            <button type="submit" class="button">
              {w.update.pull}
            </button>
          </form>
        </>
      )}
      <p class="small">{w.update.hint}</p>
    </Sheet>
  )
}
