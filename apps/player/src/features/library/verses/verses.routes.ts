import type { Http } from '@manara/kit/http'
import { PinBody, VersesQuery, VersesReply, VersesReport } from '@manara/player-contract/verses'
import type { KnownVerses } from './known-verses.ts'

const tags = ['library']

export function versesRoutes(http: Http, { verses }: { verses: KnownVerses }) {
  http.get(
    '/library/verses',
    {
      schema: {
        tags,
        summary: 'Where the verses of a surah lie in its recording',
        querystring: VersesQuery,
        response: { 200: VersesReport },
      },
    },
    ({ query }) => verses.report({ reciter: query.reciter, surah: Number(query.surah) }),
  )

  http.post(
    '/library/verses',
    {
      schema: {
        tags,
        summary: 'Mark by ear where a verse begins; the others are found anew around it',
        body: PinBody,
        response: { 200: VersesReply },
      },
    },
    async ({ body }) => ({ success: true, ...(await verses.mark(body)) }) as const,
  )

  http.delete(
    '/library/verses',
    {
      schema: {
        tags,
        summary: 'Forget what was marked by ear, and call off a search for the verses',
        querystring: VersesQuery,
        response: { 200: VersesReply },
      },
    },
    async ({ query }) => {
      const of = { reciter: query.reciter, surah: Number(query.surah) }
      return { success: true, ...(await verses.forget(of)) } as const
    },
  )
}
