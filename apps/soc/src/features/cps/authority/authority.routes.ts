import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../db/tables.ts'
import { open } from '../../../http/permissions.ts'
import type { Authority } from './authority.ts'
import { answerOcsp } from './ocsp.ts'
import type { Revocations } from './revocations.ts'
import { toPem } from './x509.ts'

export type AuthorityDeps = {
  db: Kysely<Tables>
  openAuthority(): Promise<Authority>
  revocations: Revocations
  now(): number
}

const tags = ['cps']
const MOST_REQUEST_BYTES = 16 * 1024

/** For brokers and whoever meets a device: they cannot sign in, and what is here is public. */
export function authorityRoutes(http: Http, deps: AuthorityDeps) {
  http.get(
    '/cps/ca',
    {
      ...open(),
      schema: {
        tags,
        summary: 'The certificate of the authority of devices, as PEM',
        response: { 200: z.string() },
      },
    },
    async (_request, reply) => {
      reply.type('application/x-pem-file')
      return (await deps.openAuthority()).pem
    },
  )

  http.get(
    '/cps/crl',
    {
      ...open(),
      schema: {
        tags,
        summary: 'The signed list of revoked certificates',
        description: 'DER, or PEM with `format=pem`. A broker has to load it before it expires.',
        querystring: z.strictObject({ format: z.enum(['der', 'pem']).default('der') }),
        response: { 200: z.any() },
      },
    },
    async ({ query }, reply) => {
      const list = await deps.revocations.list()
      if (query.format === 'pem') {
        reply.type('application/x-pem-file')
        return toPem('X509 CRL', list)
      }
      reply.type('application/pkix-crl')
      return list
    },
  )

  http.get(
    '/cps/ocsp/:request',
    {
      ...open(),
      schema: {
        tags,
        summary: 'Whether a certificate is good now (OCSP by GET, RFC 6960 A.1)',
        description: 'The request is base64.',
        params: z.object({ request: z.string() }),
        response: { 200: z.any() },
      },
    },
    ({ params }, reply) => answer(reply, Buffer.from(params.request, 'base64')),
  )

  // Some do not escape the slashes of base64.
  const unescaped = { hide: true, params: z.object({ '*': z.string() }) } as object
  http.get('/cps/ocsp/*', { ...open(), schema: unescaped }, ({ params }, reply) =>
    answer(reply, Buffer.from((params as { '*': string })['*'], 'base64')),
  )

  rawBodyScope(http, { mostBytes: MOST_REQUEST_BYTES }, (scope) => {
    scope.post(
      '/cps/ocsp',
      {
        ...open(),
        schema: {
          tags,
          summary: 'Whether a certificate is good now (OCSP, RFC 6960)',
          response: { 200: z.any() },
        },
      },
      ({ body }, reply) => answer(reply, Buffer.isBuffer(body) ? body : Buffer.alloc(0)),
    )
  })

  async function answer(reply: { type(kind: string): unknown }, request: Buffer) {
    reply.type('application/ocsp-response')
    return answerOcsp(deps.db, await deps.openAuthority(), request, deps.now())
  }
}
