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
      async (request, reply) => {
        reply.type('application/ocsp-response')
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        return answerOcsp(deps.db, await deps.openAuthority(), body, deps.now())
      },
    )
  })
}
