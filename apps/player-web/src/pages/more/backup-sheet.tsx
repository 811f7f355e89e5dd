import type { Backup } from '@manara/player-contract/backup'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { saveFile } from '@manara/ui/save-file'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { api, attempt, box, clock, notices, say } from '../../here.ts'
import { boxClock } from '../../parts/box-clock.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { words } from './words.ts'

/** What the owner has put into the box, into a file of the phone and back. */
export function BackupSheet({ onClose }: { onClose(): void }) {
  const { t } = say.value
  const w = words().backup
  const chosen = useSignal<Backup | null>(null)
  const { busy, run } = useOnce(() =>
    attempt(async () => {
      const day = boxClock(box.secondsNow(clock.value)).toISOString().slice(0, 10)
      saveFile(await api.blob('/backup'), `manara-${day}.json`)
    }),
  )

  async function choose([file]: File[]) {
    chosen.value = readBackup((await file?.text()) ?? '')
    if (!chosen.value) notices.problem(w.notOne)
  }

  return (
    <Sheet title={words().settings.backup} closeLabel={t.close} onClose={onClose}>
      {chosen.value ? (
        <BringBack
          backup={chosen.value}
          onDone={onClose}
          onRefused={() => {
            chosen.value = null
          }}
        />
      ) : (
        <div class="stack">
          <p>{w.what}</p>
          <button type="button" class="button" data-look="main" onClick={run} {...busy}>
            <Icon name="download" />
            {w.save}
          </button>
          <FileButton label={w.choose} accept=".json,application/json" onChoose={choose} />
        </div>
      )}
    </Sheet>
  )
}

type BringBackProps = { backup: Backup; onDone(): void; onRefused(): void }

function BringBack({ backup, onDone, onRefused }: BringBackProps) {
  const { t, date, fill, number } = say.value
  const w = words().backup
  const { made_at, tables } = backup
  const { busy, run } = useOnce(async () => {
    if (!(await attempt(() => api.post('/backup', backup)))) return onRefused()
    notices.done(w.done)
    onDone()
  })
  const parts: [name: string, table: string][] = [
    [t.tabs.schedules, 'schedules'],
    [t.tabs.cards, 'nfc_cards'],
    [t.tabs.learners, 'learners'],
    [t.today.favorites, 'favorites'],
    [t.tabs.radio, 'stations'],
  ]
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const
  return (
    <div class="stack">
      {made_at && <p>{fill(w.of, { s: date(made_at.slice(0, 10), day) })}</p>}
      <dl class="facts">
        {parts.map(([name, table]) => (
          <div key={table}>
            <dt>{name}</dt>
            <dd>{number(tables[table]?.rows.length ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <p>{w.replaces}</p>
      <button type="button" class="button" data-look="danger" onClick={run} {...busy}>
        <Icon name="refresh" />
        {w.bringBack}
      </button>
    </div>
  )
}

/** The box looks closer; this is for who has taken another file. */
function readBackup(text: string): Backup | null {
  try {
    const read = JSON.parse(text)
    return read.format === 'manara-player' && read.tables ? read : null
  } catch {
    return null
  }
}
