import { invalid, notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import {
  LibraryStatus,
  ReciterList,
  ReciterSurahs,
  RescanResult,
  SurahsQuery,
} from '@manara/player-contract/library'
import type { Library } from './library.ts'

const tags = ['library']

export type LibraryRouteDeps = { library: Library; onRescan(status: LibraryStatus): void }

export function libraryRoutes(http: Http, { library, onRescan }: LibraryRouteDeps) {
  http.get(
    '/library/reciters',
    { schema: { tags, summary: 'Reciters on the card', response: { 200: ReciterList } } },
    () => ({ reciters: [...library.reciters()] }),
  )

  http.get(
    '/library/surahs',
    {
      schema: {
        tags,
        summary: 'Which of the 114 surahs a reciter has, with names',
        querystring: SurahsQuery,
        response: { 200: ReciterSurahs },
      },
    },
    async ({ query }) => {
      if (query.reciter === '') throw invalid('reciter', 'must not be empty')
      const surahs = await library.timedSurahs(query.reciter)
      if (!surahs) throw notFound('reciter', query.reciter)
      return surahs
    },
  )

  http.get(
    '/library/status',
    { schema: { tags, summary: 'The last scan and its counts', response: { 200: LibraryStatus } } },
    () => library.status(),
  )

  http.post(
    '/library/rescan',
    { schema: { tags, summary: 'Scan the card now', response: { 200: RescanResult } } },
    async () => {
      const status = await library.rescan()
      // Also where nothing new was found: when the card was last looked at is another now.
      onRescan(status)
      return { success: true, ...status } as const
    },
  )
}
