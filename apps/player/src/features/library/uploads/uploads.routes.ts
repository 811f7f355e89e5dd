import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import { UploadBody, UploadList, UploadParams, UploadResult } from '@manara/player-contract/uploads'
import { z } from 'zod'
import { bodyChunks } from '../../../http/body-chunks.ts'
import { readCreation, readOffset } from '../domain/tus-headers.ts'
import type { Uploads } from './uploads.ts'

const tags = ['library']
const PIECE = 'application/offset+octet-stream'
const TUS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }

const NOTHING = z.undefined().describe('To clients that speak tus')

/** The tus protocol 1.0 (core, creation, termination), which also speaks plain JSON. */
export function uploadRoutes(http: Http, { uploads }: { uploads: Uploads }) {
  http.get(
    '/library/uploads',
    {
      schema: {
        tags,
        summary: 'Whether the card can be written, how much room it has, and what is under way',
        response: { 200: UploadList },
      },
    },
    () => uploads.list(),
  )

  http.post(
    '/library/uploads',
    {
      // From headers or from JSON: what the body is not may still be in the headers.
      preValidation: async (request) => {
        request.body = (readCreation(request.headers) as UploadBody | undefined) ?? request.body
      },
      schema: {
        tags,
        summary: 'Announce a file; its bytes follow by PATCH to the Location of the reply',
        body: UploadBody,
        response: { 201: UploadResult },
      },
    },
    async ({ body, url }, reply) => {
      const upload = await uploads.create(body)
      const [path = ''] = url.split('?')
      reply.code(201).headers({ ...TUS, location: `${path}/${upload.id}`, 'upload-offset': '0' })
      return { success: true as const, ...upload }
    },
  )

  http.get(
    '/library/uploads/:id',
    {
      schema: {
        tags,
        summary: 'How many bytes are on disk: where to go on. HEAD answers with headers alone',
        params: UploadParams,
        response: { 200: UploadResult },
      },
    },
    async ({ params }, reply) => {
      const upload = await uploads.show(params.id)
      reply.headers({
        ...TUS,
        'upload-offset': String(upload.offset),
        'upload-length': String(upload.size),
      })
      return { success: true as const, ...upload }
    },
  )

  http.delete(
    '/library/uploads/:id',
    {
      schema: {
        tags,
        summary: 'Cancel: what has arrived is deleted',
        params: UploadParams,
        response: { 200: UploadResult, 204: NOTHING },
      },
    },
    async ({ params, headers }, reply) => {
      const upload = await uploads.cancel(params.id)
      reply.headers(TUS)
      if (speaksTus(headers)) return reply.code(204).send()
      return { success: true as const, ...upload }
    },
  )

  rawBodyScope(http, 'stream', (pieces) => {
    pieces.patch(
      '/library/uploads/:id',
      {
        schema: {
          tags,
          summary:
            'The next bytes, from Upload-Offset on; the last ones are answered after the check',
          consumes: [PIECE],
          params: UploadParams,
          body: z.any().describe('Bytes of the file'),
          response: { 200: UploadResult, 204: NOTHING },
        },
      },
      async ({ params, headers, body }, reply) => {
        if (headers['content-type'] !== PIECE) throw invalid('Content-Type', `must be ${PIECE}`)
        const upload = await uploads.append(params.id, readOffset(headers), bodyChunks(body))
        reply.headers({ ...TUS, 'upload-offset': String(upload.offset) })
        if (speaksTus(headers)) return reply.code(204).send()
        return { success: true as const, ...upload }
      },
    )
  })
}

/** The protocol wants an empty answer; everybody else is told what became of it. */
const speaksTus = (headers: IncomingHttpHeaders) => headers['tus-resumable'] !== undefined
