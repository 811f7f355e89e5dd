import type { Station } from '@manara/player-contract/stations'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, attempt, notices, reasons, say } from '../../here.ts'
import { words } from './words.ts'

type Result = { added: Station[]; skipped: { url: string; reason: string }[] }

// What one request may hold; a playlist of thousands goes in pieces.
const PIECE = 14_000

/** A list of stations from another player: chosen or pasted, then told line by line. */
export function ImportSheet({ onClose }: { onClose(): void }) {
  const { t, count } = say.value
  const w = words()
  const text = useSignal('')
  const result = useSignal<Result | null>(null)
  const id = useId()

  const take = () =>
    attempt(async () => {
      if (text.value.length > PIECE) return notices.problem(w.radio.importTooLong)
      result.value = await api.post<Result>('/radio/import', { text: text.value })
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
          <label class="button" data-look="line">
            <Icon name="folder" />
            {w.radio.chooseFile}
            <input
              type="file"
              class="hidden"
              accept=".m3u,.m3u8,.pls,.opml,.xml,audio/x-mpegurl,audio/x-scpls,text/x-opml"
              onChange={async ({ currentTarget }) => {
                text.value = (await currentTarget.files?.[0]?.text()) ?? ''
              }}
            />
          </label>
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
