import type { Readable } from 'node:stream'
import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import { ImageBody, OtaResult, OtaStatus, PullBody, UploadQuery } from '@manara/player-contract/ota'
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
          chunksOf(request.body),
          contentLength(request.headers['content-length']),
          request.query.allow_downgrade === 'true',
        )),
      }),
    )
  })
}

/** Left open when it is refused half-way: a torn connection could not carry the reason. */
function chunksOf(body: unknown): AsyncIterable<Uint8Array> {
  const stream = body as Readable | undefined
  return stream?.iterator({ destroyOnReturn: false }) ?? (async function* () {})()
}

const contentLength = (text: string | undefined) =>
  text === undefined || !/^\d+$/.test(text) ? undefined : Number(text)
