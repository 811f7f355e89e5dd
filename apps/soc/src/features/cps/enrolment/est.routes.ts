import { AppError, unauthorized } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { open, provesItself } from '../../../http/permissions.ts'
import type { Authority } from '../authority/authority.ts'
import * as x509 from '../authority/x509.ts'
import type { Enrolment } from './enrolment.ts'

export type EstDeps = { openAuthority(): Promise<Authority>; enrolment: Enrolment }

const tags = ['cps']
const MOST_REQUEST_BYTES = 32 * 1024

/**
 * Enrolment over Secure Transport (RFC 7030), for devices that speak it already: the one-time code
 * is the password, a renewal is signed with the key of the present certificate.
 */
export function estRoutes(http: Http, { openAuthority, enrolment }: EstDeps) {
  http.get(
    '/.well-known/est/cacerts',
    {
      ...open(),
      schema: {
        tags,
        summary: 'EST: the certificate of the authority',
        response: { 200: z.string() },
      },
    },
    async (_request, reply) => answer(reply, (await openAuthority()).pem),
  )

  rawBodyScope(http, { mostBytes: MOST_REQUEST_BYTES }, (scope) => {
    scope.post(
      '/.well-known/est/simpleenroll',
      {
        ...provesItself(),
        schema: {
          tags,
          summary: 'EST: enrol',
          description: 'HTTP Basic with the one-time code as password; any user name.',
          response: { 200: z.string() },
        },
      },
      async (request, reply) => {
        const code = passwordOf(request.headers.authorization)
        reply.header('www-authenticate', 'Basic realm="enrolment code"')
        if (!code) throw unauthorized('code: send the enrolment code as the password')
        const { row } = await enrolment.enrol(code, textOf(request.body))
        reply.removeHeader('www-authenticate')
        return answer(reply, row.certificate_pem)
      },
    )

    scope.post(
      '/.well-known/est/simplereenroll',
      {
        ...provesItself(),
        schema: {
          tags,
          summary: 'EST: renew',
          description: 'The request is made with the key of the present certificate.',
          response: { 200: z.string() },
        },
      },
      async (request, reply) => {
        const { row } = await enrolment.renew(textOf(request.body), {})
        return answer(reply, row.certificate_pem)
      },
    )
  })
}

/** A PKCS#7 of certificates alone, in base64, as RFC 7030 section 4.1.3 wants it. */
function answer(reply: FastifyReply, pem: string): string {
  const bundle = new x509.X509Certificates([new x509.X509Certificate(pem)]).export('raw')
  reply.type('application/pkcs7-mime; smime-type=certs-only')
  reply.header('content-transfer-encoding', 'base64')
  return Buffer.from(bundle)
    .toString('base64')
    .replaceAll(/.{1,76}/g, '$&\n')
}

function textOf(body: unknown): string {
  if (Buffer.isBuffer(body) && body.length > 0) {
    // Base64 as the RFC has it, or the DER itself, as some clients send it.
    return body[0] === 0x30 ? body.toString('base64') : body.toString('latin1')
  }
  throw new AppError(400, 'body: must be a PKCS#10 certificate request')
}

function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '') ?? []
  const text = encoded && Buffer.from(encoded, 'base64').toString('utf8')
  return text?.slice(text.indexOf(':') + 1)
}
