import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Icon } from '@manara/ui/parts/icon'
import { player, say } from '../../here.ts'

export function Transport({ now }: { now: PlaybackStatus }) {
  const { t } = say.value
  const isPlaying = now.state === 'playing' || now.state === 'buffering'
  const isFile = now.mode === 'file' && !now.announcement
  const canStart = now.mode !== 'idle' || now.hasResumeState
  return (
    <div class="transport" dir="ltr">
      {isFile && (
        <>
          <button
            type="button"
            aria-label={t.now.previous}
            onClick={() => void player.step('prev')}
          >
            <Icon name="prev" filled />
          </button>
          <button type="button" aria-label={t.now.back} onClick={() => void player.skip(-1)}>
            <Icon name="back" />
          </button>
        </>
      )}
      <button
        type="button"
        class="transport-main"
        aria-label={isPlaying ? t.now.pause : t.now.play}
        data-busy={now.state === 'buffering'}
        disabled={!canStart}
        onClick={() => void player.toggle()}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} filled />
      </button>
      {isFile && (
        <>
          <button type="button" aria-label={t.now.forward} onClick={() => void player.skip(1)}>
            <Icon name="on" />
          </button>
          <button type="button" aria-label={t.now.next} onClick={() => void player.step('next')}>
            <Icon name="next" filled />
          </button>
        </>
      )}
      {now.mode === 'stream' && (
        <button type="button" aria-label={t.now.stop} onClick={() => void player.stop()}>
          <Icon name="stop" filled />
        </button>
      )}
    </div>
  )
}
