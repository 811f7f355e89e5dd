import { Icon } from '@manara/ui/parts/icon'
import { box, player, say } from '../here.ts'
import { useNowTitle } from './now-title.ts'

/** What plays, above the tabs of every other page. */
export function MiniPlayer() {
  const { t } = say.value
  const now = box.playback.value
  const title = useNowTitle()
  if (!now || !title) return null
  const isPlaying = now.state === 'playing' || now.state === 'buffering'
  const part = now.duration > 0 ? now.position / now.duration : 0
  return (
    <section class="mini" aria-label={t.tabs.now}>
      <span class="mini-progress" ref={(line) => line?.style.setProperty('--part', String(part))} />
      <a href="/" class="mini-title">
        <b lang={title.isArabic ? 'ar' : undefined}>{title.name}</b>
        <small>{title.by}</small>
      </a>
      <button
        type="button"
        class="button-round"
        aria-label={isPlaying ? t.now.pause : t.now.play}
        onClick={() => void player.toggle()}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} filled />
      </button>
    </section>
  )
}
