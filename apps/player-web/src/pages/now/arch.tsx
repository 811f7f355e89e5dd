import type { PlaybackStatus } from '@manara/player-contract/playback'
import { SURAHS } from '@manara/player-contract/surahs'
import { Icon } from '@manara/ui/parts/icon'
import type { ComponentChildren } from 'preact'
import { api, attempt, box, player, say } from '../../here.ts'
import { hostOf } from '../../parts/host-of.ts'
import { reciterArabic } from '../../parts/names.ts'
import { announcementTitle, fileName } from '../../parts/now-title.ts'

/** The niche that holds what is heard. */
export function Arch({ now }: { now: PlaybackStatus }) {
  if (now.announcement) return <AnnouncementArch now={now} />
  if (now.mode === 'stream') return <StreamArch now={now} />
  return now.mode === 'file' ? <SurahArch now={now} /> : <IdleArch now={now} />
}

const Frame = ({ look, children }: { look: string; children: ComponentChildren }) => (
  <div class="arch" data-look={look}>
    <span class="arch-pattern" aria-hidden="true" />
    {children}
  </div>
)

function SurahArch({ now }: { now: PlaybackStatus }) {
  const { t, number, count } = say.value
  const surah = SURAHS[now.surah_number - 1]
  const arabic = reciterArabic(now.reciter)
  return (
    <Frame look={now.state}>
      {surah ? (
        <>
          <span class="medal">{number(surah.number)}</span>
          <h2>
            <span class="arch-name" lang="ar" dir="rtl">
              سورة {surah.name_ar}
            </span>
            <span class="arch-latin">
              <span lang="en" dir="ltr">
                {surah.name}
              </span>
              <span>{count(t.now.ayahs, surah.ayahs)}</span>
            </span>
          </h2>
        </>
      ) : (
        <h2 class="arch-file">
          <bdi>{fileName(now.track)}</bdi>
        </h2>
      )}
      <p class="arch-by">
        {arabic && arabic !== now.reciter && <b lang="ar">{arabic}</b>}
        <span>
          <bdi>{now.reciter}</bdi>
        </span>
      </p>
    </Frame>
  )
}

function StreamArch({ now }: { now: PlaybackStatus }) {
  const { t } = say.value
  return (
    <Frame look={now.state}>
      <span class="arch-live">
        <Icon name="radio" />
        {now.state === 'buffering' ? t.now.connecting : t.now.live}
      </span>
      <h2 class="arch-file">
        <bdi>{now.station || t.now.stream}</bdi>
      </h2>
      <p class="arch-by">
        <span>
          <bdi>{now.stream_title || hostOf(now.track)}</bdi>
        </span>
      </p>
    </Frame>
  )
}

function AnnouncementArch({ now }: { now: PlaybackStatus }) {
  const { t } = say.value
  const { name, by } = announcementTitle(now)
  return (
    <Frame look="adhan">
      <span class="arch-live">
        <Icon name="mosque" />
        {name}
      </span>
      <h2 class="arch-file">{by || name}</h2>
      <button
        type="button"
        class="button"
        data-look="main"
        onClick={() => void attempt(() => api.post('/prayer/stop-adhan'))}
      >
        <Icon name="stop" filled />
        {now.adhan ? t.now.stopAdhan : t.now.stop}
      </button>
    </Frame>
  )
}

function IdleArch({ now }: { now: PlaybackStatus }) {
  const { t } = say.value
  const { card_present, file_count, scanning } = box.library.value ?? {}
  const isEmpty = file_count === 0 && !scanning
  const why = () => {
    if (card_present === false) return t.library.noCard
    if (isEmpty) return t.now.nothingOnCard
    if (file_count === 0) return t.library.reading
    return areRoundsOver(now) ? t.hifz.over : t.now.nothingPlays
  }
  return (
    <Frame look="idle">
      <h2 class="arch-name" lang="ar" dir="rtl">
        السلام عليكم
      </h2>
      <p class="arch-idle">{why()}</p>
      {now.hasResumeState ? (
        <button type="button" class="button" data-look="main" onClick={() => void player.toggle()}>
          <Icon name="play" filled />
          {t.now.resume}
        </button>
      ) : (
        <a class="button" data-look="main" href="/library">
          <Icon name="book" />
          {isEmpty ? t.now.add : t.now.choose}
        </a>
      )}
    </Frame>
  )
}

/** Who counts on the rounds looks here when it is silent. */
function areRoundsOver({ hifz }: PlaybackStatus): boolean {
  if (!hifz) return false
  const { repeat_done, repeat_target, step, steps } = hifz
  if (step !== undefined && steps !== undefined) return steps > 0 && step > steps
  return repeat_target > 0 && repeat_done >= repeat_target
}
