import type { ProviderCheck } from '@manara/soc-contract/auth'
import type { ServerMetadata } from 'openid-client'

type Step = ProviderCheck['steps'][number]

/**
 * What of the provider's own description fits how people are sent there. A provider need not say
 * what it supports, so silence is a warning and only a plain no is a failure.
 */
export async function checkOpenIdProvider(deps: {
  discover(): Promise<ServerMetadata>
  readKeys(url: string): Promise<number>
  scopes: string
}): Promise<ProviderCheck> {
  const metadata = await deps.discover().catch((error: unknown) => whyOf(error))
  if (typeof metadata === 'string') {
    return { is_ok: false, steps: [{ step: 'metadata', result: 'failed', detail: metadata }] }
  }
  const steps: Step[] = [
    { step: 'metadata', result: 'ok', detail: metadata.issuer },
    await keysOf(metadata, deps.readKeys),
    has('code_flow', metadata.response_types_supported, ['code']),
    has('pkce', metadata.code_challenge_methods_supported, ['S256']),
    has('scopes', metadata.scopes_supported, deps.scopes.split(' ')),
    metadata.end_session_endpoint
      ? { step: 'sign_out', result: 'ok', detail: metadata.end_session_endpoint }
      : { step: 'sign_out', result: 'warning', detail: 'who signs out here stays signed in there' },
  ]
  return { is_ok: steps.every(({ result }) => result !== 'failed'), steps }
}

function has(step: Step['step'], told: string[] | undefined, needed: string[]): Step {
  if (told === undefined) return { step, result: 'warning', detail: 'the provider does not say' }
  const missing = needed.filter((one) => !told.includes(one))
  return missing.length === 0
    ? { step, result: 'ok', detail: needed.join(' ') }
    : { step, result: 'failed', detail: `not offered: ${missing.join(' ')}` }
}

async function keysOf(
  { jwks_uri: url }: ServerMetadata,
  readKeys: (url: string) => Promise<number>,
): Promise<Step> {
  const step = 'keys'
  if (!url) return { step, result: 'failed', detail: 'the provider names no keys (jwks_uri)' }
  try {
    const count = await readKeys(url)
    if (count === 0) return { step, result: 'failed', detail: `${url} holds no key` }
    return { step, result: 'ok', detail: `${count} at ${url}` }
  } catch (error) {
    return { step, result: 'failed', detail: `${url}: ${whyOf(error)}` }
  }
}

/** The innermost reason says most: "getaddrinfo ENOTFOUND id.example". */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? whyOf(error.cause) : error.message
}
