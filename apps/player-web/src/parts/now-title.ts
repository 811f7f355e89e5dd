import { SURAHS } from '@manara/player-contract/surahs'
import { box, say } from '../here.ts'
import { reciterName } from './names.ts'

export type NowTitle = { name: string; by: string; isArabic: boolean }

/** What plays in two lines, or nothing when nothing does. */
export function useNowTitle(): NowTitle | undefined {
  const { t, language } = say.value
  const now = box.playback.value
  if (!now || now.mode === 'idle') return undefined
  if (now.adhan) {
    const isCalled = now.adhan !== 'manual'
    return {
      name: t.now.adhan,
      by: isCalled ? t.prayers[now.adhan as 'fajr'] : '',
      isArabic: language === 'ar',
    }
  }
  if (now.mode === 'stream') {
    return {
      name: now.station ?? t.now.stream,
      by: now.stream_title ?? t.now.live,
      isArabic: false,
    }
  }
  const surah = SURAHS[now.surah_number - 1]
  return {
    name: surah ? (language === 'ar' ? surah.name_ar : surah.name) : fileName(now.track),
    by: reciterName(now.reciter),
    isArabic: language === 'ar',
  }
}

export const fileName = (path: string) =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.\w+$/, '') ?? path
