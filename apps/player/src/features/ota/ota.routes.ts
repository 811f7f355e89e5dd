import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import { ImageBody, OtaResult, OtaStatus, PullBody, UploadQuery } from '@manara/player-contract/ota'
import { bodyChunks } from '../../http/body-chunks.ts'
import type { Updater } from './updater.ts'

const tags = ['ota']

export function otaRoutes(http: Http, { updater }: { updater: Updater }) {
  http.get(
    '/ota/status',
    { schema: { tags, summary: 'How far an update is', response: { 200: OtaStatus } } },
    () => updater.status(),
  )

  http.post(
    '/ota/pull',
    {
      schema: {
        tags,
        summary: 'Fetch an image over https and install it; progress comes as ota events',
        body: PullBody,
        response: { 200: OtaResult },
      },
    },
    async ({ body }) => ({
      success: true as const,
      ...(await updater.pull(body.url, body.allow_downgrade ?? false)),
    }),
  )

  rawBodyScope(http, 'stream', (upload) => {
    upload.post(
      '/ota/upload',
      {
        schema: {
          tags,
          summary: 'Install the image that is the raw body of this request',
          consumes: ['application/octet-stream'],
          querystring: UploadQuery,
          body: ImageBody,
          response: { 200: OtaResult },
        },
      },
      async (request) => ({
        success: true as const,
        ...(await updater.upload(
          bodyChunks(request.body),
          contentLength(request.headers['content-length']),
          request.query.allow_downgrade === 'true',
        )),
      }),
    )
  })
}

const contentLength = (text: string | undefined) =>
  text === undefined || !/^\d+$/.test(text) ? undefined : Number(text)
