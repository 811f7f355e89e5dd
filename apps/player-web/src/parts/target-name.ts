import type { Target } from '@manara/player-contract/target'
import { box, learners, say } from '../here.ts'
import { reciterName, surahName } from './names.ts'
import { fileName } from './now-title.ts'

/** What a card or a schedule sets off, in words. */
export function targetName(target: Target): string {
  const { t, fill } = say.value
  switch (target.type) {
    case 'surah':
      return [surahName(target.surah ?? 0), reciterName(target.reciter ?? '')].join(t.comma)
    case 'stream':
      return (
        target.name ??
        box.stations.value?.find(({ url }) => url === target.url)?.name ??
        target.url ??
        ''
      )
    case 'path':
      return fileName(target.path ?? '')
    case 'favorite': {
      const favorite = box.favorites.value?.find(({ id }) => id === target.id)
      if (!favorite) return t.targets.favorite
      return favorite.type === 'surah' ? surahName(favorite.surah) : favorite.name
    }
    case 'juz':
      return [
        fill(t.targets.juzOf, { n: target.juz ?? 1 }),
        reciterName(target.reciter ?? ''),
      ].join(t.comma)
    case 'hizb':
      return [
        fill(t.targets.hizbOf, { n: target.hizb ?? 1 }),
        reciterName(target.reciter ?? ''),
      ].join(t.comma)
    case 'learner':
      return learners.find(target.id)?.name ?? t.targets.learner
    case 'adhan':
      return t.targets.adhan
    case 'action':
      return t.actions[target.action ?? 'pause']
  }
}

/** The same where there is little room. */
export const shortTargetName = (target: Target): string =>
  target.type === 'surah' ? surahName(target.surah ?? 0) : targetName(target)
