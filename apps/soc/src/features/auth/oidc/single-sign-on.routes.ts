import { notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { ProviderCheck, SingleSignOn } from '@manara/soc-contract/auth'
import { requiresRole } from '../../../http/permissions.ts'
import type { IdentityProvider } from '../../../ports/identity-provider.ts'
import { tags } from '../auth.routes.ts'

export type SingleSignOnDeps = {
  /** As it was started with, without the secret. */
  singleSignOn: SingleSignOn
  provider: Pick<IdentityProvider, 'check'> | undefined
}

/** For who sets it up: what the service was started with, and whether the provider fits it. */
export function singleSignOnRoutes(http: Http, { singleSignOn, provider }: SingleSignOnDeps) {
  http.get(
    '/auth/oidc',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'What single sign-on is set to, without the secret',
        response: { 200: SingleSignOn },
      },
    },
    () => singleSignOn,
  )

  http.post(
    '/auth/oidc/check',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'Ask the identity provider whether people can sign in there',
        description:
          'Reads its metadata and keys anew. The client and its secret are only tried by signing in.',
        response: { 200: ProviderCheck },
      },
    },
    () => {
      if (!provider) throw notFound('identity provider', 'of SOC_OIDC_ISSUER')
      return provider.check()
    },
  )
}
