import type { Http } from '@manara/kit/http'
import { PartList } from '@manara/player-contract/queue'
import { QURAN_PARTS, quranPart } from '@manara/player-contract/quran-parts'

export function partRoutes(http: Http) {
  http.get(
    '/library/parts',
    {
      schema: {
        tags: ['library'],
        summary:
          'Where the thirty juz and the sixty hizb begin and end, and which surahs they touch',
        response: { 200: PartList },
      },
    },
    () => ({
      juz: partsOf('juz'),
      hizb: partsOf('hizb'),
      note: 'files are whole surahs, so a part plays every surah that it touches from beginning to end',
    }),
  )
}

const partsOf = (kind: 'juz' | 'hizb') =>
  Array.from({ length: QURAN_PARTS[kind] }, (_, index) => quranPart(kind, index + 1))
