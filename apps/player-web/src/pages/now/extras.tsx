import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { api, attempt, box, say } from '../../here.ts'
import { MemoriseSheet } from './memorise-sheet.tsx'
import { SleepButton } from './sleep-button.tsx'
import { SpeedButton } from './speed-button.tsx'

export function Extras({ now }: { now: PlaybackStatus }) {
  const { t } = say.value
  const isChoosing = useSignal(false)
  const favorite = favoriteOf(now)
  const isFavorite = box.favorites.value?.some(
    ({ type, reciter, surah, url }) =>
      favorite !== undefined &&
      type === favorite.type &&
      (type === 'surah'
        ? reciter === favorite.reciter && surah === favorite.surah
        : url === favorite.url),
  )
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
        aria-pressed={isFavorite ?? false}
        onClick={() => void attempt(() => api.post('/favorites/toggle', favorite))}
      >
        <Icon name="star" filled={isFavorite ?? false} />
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
  if (now.adhan) return undefined
  if (now.mode === 'stream') {
    return { type: 'stream', url: now.track, name: now.station || now.track } as const
  }
  if (now.mode !== 'file' || now.surah_number === 0) return undefined
  return { type: 'surah', reciter: now.reciter, surah: now.surah_number } as const
}
