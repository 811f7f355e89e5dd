import type { ApiDescription } from '@manara/kit/openapi'
import { CONTENTS } from './api-contents.ts'
import { EXAMPLES, SAMPLES } from './api-examples.ts'
import { accessOf } from './http/permissions.ts'

const PUBLIC = new Set([
  'GET /health',
  'POST /api/v1/auth/token',
  'GET /api/v1/auth/ways',
  'GET /api/v1/auth/oidc/start',
  'GET /api/v1/auth/oidc/callback',
  'POST /api/v1/auth/passkeys',
  'POST /api/v1/auth/passkeys/options',
])

export const API: Omit<ApiDescription, 'version'> = {
  title: 'Manara security-operations platform',
  description:
    'Alerts, cases with an evidence ledger, log search, detection and response. In the mode `dry_run` a change is answered with 200 and the record as it would be, plus `"preview": true`, and nothing is stored; in `dummy` it is 409.',
  prefix: '/api/v1',
  tags: [
    { name: 'authentication', description: 'Signing in and out' },
    { name: 'users', description: 'Users, their roles and their API keys' },
    { name: 'system', description: 'Health, runtime mode and topology' },
    { name: 'audit', description: 'The hash-chained log of sign-ins, refusals and changes' },
    { name: 'events', description: 'Changes as they happen' },
    { name: 'alerts', description: 'Deduplicated alerts, their status and their cases' },
    { name: 'cases', description: 'Cases and the evidence ledger' },
    { name: 'siem', description: 'Log events: sending, searching and hunting' },
    { name: 'ingest', description: 'Log events as shippers of other systems send them' },
    { name: 'reports', description: 'Investigation, executive and compliance reports' },
    { name: 'stats', description: 'Counts, trends, time to acknowledge and to resolve' },
    { name: 'detections', description: 'Rules, their runs, suppressions and feedback' },
    {
      name: 'soar',
      description: 'Response playbooks: writing, executing, cancelling, taking back',
    },
    { name: 'playbooks', description: 'Playbooks and their executions, for analysts' },
    { name: 'approvals', description: 'What waits for a decision of a person' },
    { name: 'agents', description: 'Agents, what they found and propose, and the tools they call' },
    { name: 'chat', description: 'Questions about what is stored' },
    { name: 'sites', description: 'Places, what stands there, and whether it reports' },
    { name: 'iocs', description: 'Indicators, their import and export, and where they were seen' },
    { name: 'edr', description: 'Endpoints, what is asked of them, and the receipts' },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    session: { type: 'apiKey', in: 'cookie', name: 'soc_session' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  },
  isPublic: (method, url) => PUBLIC.has(`${method} ${url}`),
  errorField: 'detail',
  errorsOf,
  examples: EXAMPLES,
  samples: SAMPLES,
  contents: CONTENTS,
}

type Route = Parameters<NonNullable<ApiDescription['errorsOf']>>[0]

/** Public, and they answer 401 to who signs in wrongly. */
const SIGNS_IN = /\/auth\/(token|passkeys|oidc\/callback)$/
/** Names that are no records: any of them has an answer. */
const ANY_NAME = '/api/v1/siem/fields/:name/values'
/** What shippers of Elastic ask and set up: it is read by nobody. */
const HANDSHAKE = /^\/(_(?!bulk)|:index($|\/_(?!bulk|doc|create)))/

/** By what stands before every route: who calls, how often, in which mode, and the engines behind it. */
function errorsOf({ method, url, config, hasQuery }: Route): number[] {
  const isPublic = accessOf(config)?.kind === 'public'
  // To others than such shippers the name of an index is no route.
  if (HANDSHAKE.test(url)) return [401, 403, ...(url === '/:index' ? [404] : []), 429, 503]
  const isRead = method === 'GET'
  // The path may name a record, as may what is sent; or what it needs is not set up.
  const hasName = (url.includes(':') && url !== ANY_NAME) || url.includes('/auth/oidc/')
  return [
    // Of what everybody may ask, a request that is none at all.
    ...(isRead && !hasQuery && !isPublic ? [] : [400]),
    ...(isPublic && !SIGNS_IN.test(url) ? [] : [401]),
    ...(isPublic ? [] : [403]),
    ...(isRead && !hasName ? [] : [404]),
    ...(isRead ? [] : [409]),
    ...(isPublic && !url.includes('/auth/') ? [] : [429]),
    503,
  ]
}
