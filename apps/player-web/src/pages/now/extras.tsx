import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Icon } from '@manara/ui/parts/icon'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { say } from '../../here.ts'
import { favoriteLike, star } from '../../parts/favorite.ts'
import { MemoriseSheet } from './memorise-sheet.tsx'
import { SleepButton } from './sleep-button.tsx'
import { SpeedButton } from './speed-button.tsx'

export function Extras({ now }: { now: PlaybackStatus }) {
  const { t } = say.value
  const isChoosing = useSignal(false)
  const favorite = favoriteOf(now)
  const isFavorite = favorite !== undefined && favoriteLike(favorite) !== undefined
  const { busy, run } = useOnce(() => favorite && star(favorite))
  const isMemorising = now.advance_mode.startsWith('hifz')
  return (
    <div class="extras">
      <button
        type="button"
        aria-pressed={isMemorising}
        onClick={() => {
          isChoosing.value = true
        }}
      >
        <Icon name="repeat" />
        <span>{t.modes[now.advance_mode].short}</span>
      </button>
      <button
        type="button"
        disabled={favorite === undefined}
        aria-pressed={isFavorite}
        onClick={() => void run()}
        {...busy}
      >
        <Icon name="star" filled={isFavorite} />
        <span>{t.now.favorite}</span>
      </button>
      <SleepButton />
      {now.mode === 'file' && !now.announcement && <SpeedButton now={now} />}
      {isChoosing.value && (
        <MemoriseSheet
          now={now}
          onClose={() => {
            isChoosing.value = false
          }}
        />
      )}
    </div>
  )
}

function favoriteOf(now: PlaybackStatus) {
  if (now.announcement) return undefined
  if (now.mode === 'stream') {
    return { type: 'stream', url: now.track, name: now.station || now.track } as const
  }
  if (now.mode !== 'file' || now.surah_number === 0) return undefined
  return { type: 'surah', reciter: now.reciter, surah: now.surah_number } as const
}
