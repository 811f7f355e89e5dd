import { StartError } from '@manara/kit/errors'
import type { SingleSignOn } from '@manara/soc-contract/auth'
import { Role } from '@manara/soc-contract/permissions'
import type { Settings } from './settings.ts'

const PersonRole = Role.exclude(['service'])

/** The identity provider, if there is one; half a setting stops the start. */
export function readOidc(settings: Settings) {
  const { SOC_OIDC_ISSUER: issuer, SOC_PUBLIC_URL: publicUrl } = settings
  if (!issuer) return undefined
  if (!isSafe(issuer)) {
    throw new StartError('SOC_OIDC_ISSUER: must be https, unless it is on this machine')
  }
  if (!settings.SOC_OIDC_CLIENT_ID) {
    throw new StartError(
      'SOC_OIDC_CLIENT_ID: must be set too: what the provider calls this service',
    )
  }
  if (!publicUrl) {
    throw new StartError(
      'SOC_PUBLIC_URL: must be set too: where the provider sends browsers back to',
    )
  }
  const scopes = settings.SOC_OIDC_SCOPES.split(/\s+/).filter(Boolean)
  if (!scopes.includes('openid'))
    throw new StartError('SOC_OIDC_SCOPES: must have openid among them')
  const roles = readRoles(settings.SOC_OIDC_ROLES)
  const defaultRole = settings.SOC_OIDC_DEFAULT_ROLE
    ? roleNamed('SOC_OIDC_DEFAULT_ROLE', settings.SOC_OIDC_DEFAULT_ROLE)
    : undefined
  if (roles.length === 0 && !defaultRole) {
    throw new StartError('SOC_OIDC_ROLES: must be set too: which group has which role')
  }
  return {
    provider: {
      issuer,
      publicUrl,
      clientId: settings.SOC_OIDC_CLIENT_ID,
      clientSecret: settings.SOC_OIDC_CLIENT_SECRET,
      scopes: scopes.join(' '),
      groupsClaim: settings.SOC_OIDC_GROUPS_CLAIM,
      name: settings.SOC_OIDC_NAME,
    },
    mapping: { roles, defaultRole },
    isSecondFactorTrusted: settings.SOC_OIDC_SECOND_FACTOR === 'trusted',
  }
}

/** What may be shown of it: all but the secret. */
export function shownOidc(oidc: ReturnType<typeof readOidc>): SingleSignOn {
  if (!oidc) return { provider: null, roles: [], default_role: null }
  const { provider, mapping, isSecondFactorTrusted } = oidc
  const { name, issuer, publicUrl } = provider
  return {
    provider: {
      ...{ name, issuer, client_id: provider.clientId },
      has_secret: provider.clientSecret !== undefined,
      scopes: provider.scopes.split(' '),
      groups_claim: provider.groupsClaim,
      redirect_url: new URL('/api/v1/auth/oidc/callback', publicUrl).href,
      signed_out_url: new URL('/', publicUrl).href,
      second_factor: isSecondFactorTrusted ? 'trusted' : 'amr',
    },
    roles: mapping.roles,
    default_role: mapping.defaultRole ?? null,
  }
}

/** `soc-admins=admin, soc=analyst`; with semicolons when a group's own name has commas. */
function readRoles(text: string) {
  const separator = text.includes(';') ? ';' : ','
  const pairs = text.split(separator).map((pair) => pair.trim())
  return pairs.filter(Boolean).map((pair) => {
    const at = pair.lastIndexOf('=')
    if (at < 1) throw new StartError(`SOC_OIDC_ROLES: ${JSON.stringify(pair)} is not group=role`)
    const group = pair.slice(0, at).trim()
    return { group, role: roleNamed('SOC_OIDC_ROLES', pair.slice(at + 1).trim()) }
  })
}

function roleNamed(setting: string, name: string) {
  const { data, success } = PersonRole.safeParse(name)
  if (success) return data
  throw new StartError(
    `${setting}: ${JSON.stringify(name)} is no role: one of ${PersonRole.options.join(', ')}`,
  )
}

function isSafe(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
