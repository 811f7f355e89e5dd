import { box, say } from '../here.ts'
import { reciterName, surahName } from './names.ts'

export type NowTitle = { name: string; by: string; isArabic: boolean }

/** What plays in two lines, or nothing when nothing does. */
export function useNowTitle(): NowTitle | undefined {
  const { t, language } = say.value
  const now = box.playback.value
  if (!now || now.mode === 'idle') return undefined
  if (now.adhan) {
    return {
      name: t.now.adhan,
      by: now.adhan === 'manual' ? '' : t.prayers[now.adhan],
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
  return {
    name: surahName(now.surah_number) || fileName(now.track),
    by: reciterName(now.reciter),
    isArabic: language === 'ar',
  }
}

export const fileName = (path: string) =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.\w+$/, '') ?? path
