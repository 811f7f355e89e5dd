import type { UploadList } from '@manara/player-contract/uploads'
import { Field } from '@manara/ui/parts/field'
import { Select } from '@manara/ui/parts/select'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, box, reasons, say, uploads } from '../../here.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { reciterName } from '../../parts/names.ts'
import { words } from './words.ts'

const NEW = ''

/** Recitations from the phone onto the card of the box, each with how far it is. */
export function UploadSheet({ onClose }: { onClose(): void }) {
  const { t, fill, number } = say.value
  const w = words()
  const reciters = box.reciters.value ?? []
  const chosen = useSignal(reciters[0]?.path ?? NEW)
  const name = useSignal('')
  const space = useSignal<UploadList | null>(null)
  useEffect(() => {
    api.get<UploadList>('/library/uploads').then(
      (found) => {
        space.value = found
      },
      () => {},
    )
  }, [])
  const folder = chosen.value === NEW ? name.value.trim().replaceAll('/', ' ') : chosen.value
  const isRefused = space.value !== null && !space.value.writable
  return (
    <Sheet title={w.library.upload} closeLabel={t.close} onClose={onClose}>
      <p>{w.library.uploadWhat}</p>
      {isRefused ? (
        <p class="bad" role="alert">
          {fill(w.library.uploadNo, { why: reasons.meaning(space.value?.reason ?? '') })}
        </p>
      ) : (
        <>
          <Select
            label={w.library.uploadTo}
            value={chosen.value}
            options={[
              ...reciters.map((one) => ({ value: one.path, label: reciterName(one.name) })),
              { value: NEW, label: w.library.newReciter },
            ]}
            onChoose={(path) => {
              chosen.value = path
            }}
          />
          {chosen.value === NEW && (
            <Field
              label={w.library.newReciterName}
              value={name.value}
              onType={(text) => {
                name.value = text
              }}
              input={{ dir: 'auto', autocomplete: 'off', maxLength: 100 }}
            />
          )}
          <FileButton
            look="main"
            label={w.library.chooseFiles}
            accept="audio/*,.mp3,.flac,.ogg,.opus,.wav,.m4a"
            multiple
            disabled={folder === ''}
            onChoose={(files) => uploads.add(files, folder)}
          />
          {space.value && (
            <p class="small">
              {fill(w.library.room, { n: number(Math.round(space.value.free_bytes / 1e8) / 10) })}
            </p>
          )}
        </>
      )}
      <Progress />
    </Sheet>
  )
}

function Progress() {
  const { t, fill, percent } = say.value
  const w = words()
  if (uploads.list.value.length === 0) return null
  return (
    <ul class="plain-list" role="status">
      {uploads.list.value.map(({ path, part, state, reason }) => (
        <li key={path} class={state === 'failed' ? 'bad' : state === 'done' ? 'good' : undefined}>
          <span dir="auto">
            {state === 'failed' &&
              fill(w.library.uploadFailed, { s: path, why: reasons.of(reason) })}
            {state === 'done' && fill(w.library.uploaded, { s: path })}
            {(state === 'sending' || state === 'waiting') &&
              fill(w.library.uploading, { s: path, p: percent(Math.floor(part * 100)) })}
          </span>
          {(state === 'sending' || state === 'waiting') && (
            <>
              <progress max={1} value={part} aria-label={path} />
              <button
                type="button"
                class="button"
                data-look="line"
                aria-label={fill(w.library.callOff, { s: path })}
                onClick={() => uploads.cancel(path)}
              >
                {t.cancel}
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
