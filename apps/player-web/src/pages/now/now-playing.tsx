import { Icon } from '@manara/ui/parts/icon'
import { box, player, reasons, say } from '../../here.ts'
import { Level } from '../../parts/level.tsx'
import { Arch } from './arch.tsx'
import { Beads } from './beads.tsx'
import { Extras } from './extras.tsx'
import { Seek } from './seek.tsx'
import { Transport } from './transport.tsx'
import { VerseBar } from './verse-bar.tsx'

export function NowPlaying() {
  const { t } = say.value
  const now = box.playback.value
  if (!now) return <NowGhost />
  return (
    <article class="now">
      <Arch now={now} />
      {now.error && (
        <p class="now-error" role="alert">
          <Icon name="alert" />
          <span>
            {t.now.stoppedBy} <bdi>{reasons.meaning(now.error)}</bdi>
          </span>
        </p>
      )}
      {now.mode === 'file' && <Seek now={now} />}
      <Transport now={now} />
      {now.surah_number > 0 && !now.announcement && <VerseBar now={now} />}
      {now.hifz && now.mode === 'file' && !now.announcement && <Beads now={now} hifz={now.hifz} />}
      <Volume volume={now.volume} />
      <Extras now={now} />
    </article>
  )
}

function Volume({ volume }: { volume: number }) {
  const { t, number } = say.value
  const most = box.settings.value?.max_volume ?? 100
  return (
    <Level
      icon={volume === 0 ? 'mute' : 'volume'}
      label={t.now.volume}
      value={volume}
      max={Math.max(1, most)}
      valueText={number}
      onHold={player.setVolume}
      onSet={player.setVolume}
    />
  )
}

/** The shape of what comes, so that nothing moves when it is there. */
const NowGhost = () => (
  <div class="now" aria-busy="true">
    <div class="arch arch-ghost ghost" />
    <div class="ghost now-ghost-line" />
    <div class="ghost now-ghost-line" />
  </div>
)
