import { request as plain } from 'node:http'
import { jsonIn } from '@manara/kit/json-in'
import type { SocClient } from '../ports/soc-client.ts'

const LONGEST_MS = 20_000
const LARGEST_REPLY = 256 * 1024

/** The encrypted client is loaded at the first call: a box that is on its own does not pay for it. */
export const createSocClient = (): SocClient => ({
  async post(url, body, { headers = {}, ca } = {}) {
    const request = url.protocol === 'http:' ? plain : (await import('node:https')).request
    return new Promise((resolve, reject) => {
      const call = request(
        url,
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': body.length,
            ...headers,
          },
          signal: AbortSignal.timeout(LONGEST_MS),
          ...(ca ? { ca } : {}),
        },
        (reply) => {
          const chunks: Buffer[] = []
          let size = 0
          reply.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > LARGEST_REPLY) reply.destroy(new Error('the reply is too long'))
            else chunks.push(chunk)
          })
          reply.on('error', reject)
          reply.on('end', () =>
            resolve({
              status: reply.statusCode ?? 0,
              body: jsonIn(Buffer.concat(chunks)),
              date: Date.parse(reply.headers.date ?? '') || undefined,
            }),
          )
        },
      )
      call.on('error', reject)
      call.end(body)
    })
  },
})
