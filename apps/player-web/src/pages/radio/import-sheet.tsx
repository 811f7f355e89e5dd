import type { Station } from '@manara/player-contract/stations'
import { Sheet } from '@manara/ui/parts/sheet'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, attempt, reasons, say } from '../../here.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { stationPieces } from '../../stores/station-list.ts'
import { words } from './words.ts'

type Result = { added: Station[]; skipped: { url: string; reason: string }[] }

/** A list of stations from another player: chosen or pasted, then told line by line. */
export function ImportSheet({ onClose }: { onClose(): void }) {
  const { t, count } = say.value
  const w = words()
  const text = useSignal('')
  const result = useSignal<Result | null>(null)
  const id = useId()

  const take = () =>
    attempt(async () => {
      const told: Result = { added: [], skipped: [] }
      const pieces = stationPieces(text.value)
      for (const [at, piece] of pieces.entries()) {
        const { added, skipped } = await api.post<Result>('/radio/import', { text: piece })
        told.added.push(...added)
        told.skipped.push(...skipped)
        // Where a later one fails, what is still to come stays to be taken again.
        text.value = pieces.slice(at + 1).join('')
      }
      result.value = told
    })

  const done = result.value
  const { busy, run } = useOnce(take)
  return (
    <Sheet title={w.radio.import} closeLabel={t.close} onClose={onClose}>
      {done ? (
        <div class="stack">
          <p role="status">
            <b>{count(w.radio.imported, done.added.length)}</b>
          </p>
          {done.skipped.length > 0 && (
            <>
              <p>{count(w.radio.skipped, done.skipped.length)}</p>
              <ul class="plain-list">
                {done.skipped.map(({ url, reason }) => (
                  <li key={url}>
                    <span class="address" dir="ltr">
                      {url}
                    </span>
                    <small dir="auto">{reasons.meaning(reason)}</small>
                  </li>
                ))}
              </ul>
            </>
          )}
          <button type="button" class="button" data-look="main" onClick={onClose}>
            {t.close}
          </button>
        </div>
      ) : (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void run()
          }}
        >
          <p>{w.radio.importWhat}</p>
          <FileButton
            look="line"
            icon="folder"
            label={w.radio.chooseFile}
            accept=".m3u,.m3u8,.pls,.opml,.xml,audio/x-mpegurl,audio/x-scpls,text/x-opml"
            onChoose={async ([file]) => {
              text.value = (await file?.text()) ?? ''
            }}
          />
          <div class="field">
            <label for={id}>{w.radio.orPaste}</label>
            <textarea
              id={id}
              dir="ltr"
              spellcheck={false}
              value={text.value}
              onInput={({ currentTarget }) => {
                text.value = currentTarget.value
              }}
            />
          </div>
          <button
            type="submit"
            class="button"
            data-look="main"
            disabled={text.value.trim() === ''}
            {...busy}
          >
            {w.radio.take}
          </button>
        </form>
      )}
    </Sheet>
  )
}
