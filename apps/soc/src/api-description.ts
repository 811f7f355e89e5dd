import type { ApiDescription } from '@manara/kit/openapi'

const PUBLIC = new Set(['GET /health', 'POST /api/v1/auth/token'])

export const API: Omit<ApiDescription, 'version'> = {
  title: 'Manara security-operations platform',
  description: 'Alerts, cases with an evidence ledger, log search, detection and response.',
  prefix: '/api/v1',
  tags: [{ name: 'system', description: 'Health and runtime mode' }],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    session: { type: 'apiKey', in: 'cookie', name: 'soc_session' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  },
  isPublic: (method, url) => PUBLIC.has(`${method} ${url}`),
  errorField: 'detail',
}
