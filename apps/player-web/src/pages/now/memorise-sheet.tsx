import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Sheet } from '@manara/ui/parts/sheet'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { player, say } from '../../here.ts'
import { ModeFields } from '../../parts/mode-fields.tsx'
import { modeOf } from '../../parts/mode-of.ts'
import { useVerses } from '../../parts/use-verses.ts'

/** What happens at the end of a surah: go on, again, or memorise. */
export function MemoriseSheet({ now, onClose }: { now: PlaybackStatus; onClose(): void }) {
  const isHere = useIsHere()
  const { t } = say.value
  const mode = useSignal<ModeBody>(modeOf(now))
  const verses = useVerses(now.reciter, now.surah_number)
  return (
    <Sheet title={t.hifz.atTheEnd} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        onSubmit={async (event) => {
          event.preventDefault()
          if ((await player.setMode(mode.value)) && isHere()) onClose()
        }}
      >
        <ModeFields
          mode={mode.value}
          surah={now.surah_number || 1}
          verses={verses.value}
          onChange={(next) => {
            mode.value = next
          }}
        />
        <button type="submit" class="button" data-look="main">
          {t.apply}
        </button>
      </form>
    </Sheet>
  )
}
