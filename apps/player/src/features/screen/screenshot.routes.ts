import type { Http } from '@manara/kit/http'
import { z } from 'zod'
import type { Screen } from './keep-screen.ts'

const BMP = 'image/bmp'
// For the description of the API alone: what is sent are bytes, and bytes pass unchecked.
const Picture = z.file() as unknown as z.ZodType<Buffer>

export function screenshotRoutes(http: Http, screen: Pick<Screen, 'screenshot'>) {
  http.get(
    '/debug/screenshot',
    {
      schema: {
        tags: ['system'],
        summary: 'The live screen as a 24-bit BMP image',
        response: {
          200: { description: '320 × 240 pixels', content: { [BMP]: { schema: Picture } } },
        },
      },
    },
    async (_request, reply) => reply.type(BMP).send(await screen.screenshot()),
  )
}
