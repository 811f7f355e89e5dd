import type { Http } from '@manara/kit/http'
import { SleepTimerBody, SleepTimerResult, SleepTimerStatus } from '@manara/player-contract/queue'
import type { SleepTimer } from './sleep-timer.ts'

const tags = ['playback']
const result = { 200: SleepTimerResult }

export function sleepRoutes(http: Http, { timer }: { timer: SleepTimer }) {
  http.get(
    '/playback/sleep',
    { schema: { tags, summary: 'When it will be silent', response: { 200: SleepTimerStatus } } },
    () => timer.status(),
  )

  http.post(
    '/playback/sleep',
    {
      schema: {
        tags,
        summary: 'Fade out and stop after so many minutes; the place is kept',
        body: SleepTimerBody,
        response: result,
      },
    },
    async ({ body }) => ({ success: true, ...(await timer.set(body)) }) as const,
  )

  http.delete(
    '/playback/sleep',
    { schema: { tags, summary: 'Call the sleep timer off', response: result } },
    async () => ({ success: true, ...(await timer.cancel()) }) as const,
  )
}
