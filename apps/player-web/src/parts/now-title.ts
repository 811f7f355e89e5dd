import type { PlaybackStatus } from '@manara/player-contract/playback'
import { box, say } from '../here.ts'
import { reciterName, surahName } from './names.ts'

export type NowTitle = { name: string; by: string; isArabic: boolean }

/** What plays in two lines, or nothing when nothing does. */
export function useNowTitle(): NowTitle | undefined {
  const { t, language } = say.value
  const now = box.playback.value
  if (!now || now.mode === 'idle') return undefined
  if (now.announcement) return { ...announcementTitle(now), isArabic: language === 'ar' }
  if (now.mode === 'stream') {
    return {
      name: now.station ?? t.now.stream,
      by: now.stream_title ?? t.now.live,
      isArabic: false,
    }
  }
  return {
    name: surahName(now.surah_number) || fileName(now.track),
    by: reciterName(now.reciter),
    isArabic: language === 'ar',
  }
}

/** What sounds over everything else: its file is called as the box likes. */
export function announcementTitle({ announcement, adhan }: PlaybackStatus) {
  const { t } = say.value
  if (announcement === 'reminder') return { name: t.now.reminder, by: '' }
  if (announcement === 'iqama') return { name: t.now.iqama, by: '' }
  return { name: t.now.adhan, by: adhan && adhan !== 'manual' ? t.prayers[adhan] : '' }
}

export const fileName = (path: string) =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.\w+$/, '') ?? path
