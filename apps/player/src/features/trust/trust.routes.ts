import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { Language } from '@manara/player-contract/settings'
import { trustPage } from './trust-page.ts'

export type TrustDeps = {
  /** The box's own authority; undefined where another program does the encryption. */
  authority: { pem: string; fingerprint: string } | undefined
  language(): Language
  hostname(): string
}

const hidden = { schema: { hide: true } as object }

/** `/ca.crt` and the page that says what it is for. Not under `/api`: people type these. */
export function trustRoutes(http: Http, { authority, language, hostname }: TrustDeps) {
  function known() {
    if (authority) return authority
    throw new AppError(404, 'this player speaks plain HTTP, so it has no certificate')
  }

  http.get('/ca.crt', hidden, (_request, reply) =>
    // The type by which phones know that they are to install it.
    reply.type('application/x-x509-ca-cert').send(known().pem),
  )

  http.get('/trust', hidden, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(
        trustPage({
          fingerprint: known().fingerprint,
          language: language(),
          hostname: hostname(),
        }),
      ),
  )
}
