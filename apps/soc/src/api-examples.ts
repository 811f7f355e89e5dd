/** What a field of that name is likely to hold, for examples of everything that has no own. */
export const SAMPLES: Record<string, unknown> = {
  id: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  title: 'Failed passwords on web-1',
  name: 'Failed passwords',
  description: 'Somebody guesses passwords of root.',
  message: 'Failed password for root from 203.0.113.7',
  username: 'leila',
  password: 'correct horse battery staple',
  current_password: 'correct horse battery staple',
  new_password: 'another horse battery staple',
  email: 'leila@example.org',
  full_name: 'Leila Haddad',
  role: 'analyst',
  scopes: ['alerts:read'],
  severity: 'high',
  source: 'sshd',
  host: 'web-1',
  hostname: 'web-1',
  user: 'root',
  query: '"failed password"',
  q: '"failed password"',
  reason: 'Ticket 4711',
  justification: 'Ticket 4711',
  assignee: 'leila@example.org',
  body: 'Looked at the host: nothing else was touched.',
  value: '203.0.113.7',
  src_ip: '203.0.113.7',
  network: '192.0.2.0/24',
  sha256: 'ab'.repeat(32),
  mitre_techniques: ['T1110.001'],
  tags: ['linux'],
  timezone: 'Europe/Berlin',
  criteria: { src_ip: '203.0.113.0/24' },
  timestamp: '2026-03-01T09:30:00.000Z',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:35:00.000Z',
  first_seen_at: '2026-03-01T09:29:58.000Z',
  last_seen_at: '2026-03-01T09:34:12.000Z',
  created_by: 'leila',
}

export const CERTIFICATE_REQUEST = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHJMHICAQAwEDEOMAwGA1UEAwwFcGxjLTEwWTATBgcqhkjOPQIBBggqhkjOPQMB',
  'BwNCAAQesIMAhIZSp/iAmq2prXf4YEjIFUnAw43G9w+Guwoyv7L3/0lzFiKvO1pe',
  'NwmN+syBrqttrqoZceMyFx1fQ8oeoAAwCgYIKoZIzj0EAwIDRwAwRAIgSVEeKHDk',
  'Iq6CiynHVWO1ULvXdwFvlaLX+wrnuttwYfoCIFGwtRvK5O9h8+1oWnaTfmOtgOKO',
  'EJAMn6gXZFh6cMeT',
  '-----END CERTIFICATE REQUEST-----',
].join('\n')
const PUBLIC_KEY = [
  '-----BEGIN PUBLIC KEY-----',
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHrCDAISGUqf4gJqtqa13+GBIyBVJ',
  'wMONxvcPhrsKMr+y9/9JcxYirztaXjcJjfrMga6rba6qGXHjMhcdX0PKHg==',
  '-----END PUBLIC KEY-----',
].join('\n')

const DOORS = {
  definition: { kind: 'grok', pattern: 'door %{WORD:door} opened by %{USER:user}' },
  samples: [{ text: 'door north opened by leila', expect: { door: 'north', user: 'leila' } }],
}

/** Bodies of which more is asked than a schema can say. */
export const EXAMPLES: Record<string, unknown> = {
  'POST /api/v1/reports': { report_type: 'executive', format: 'markdown' },
  'POST /api/v1/alerts/bulk': {
    ids: ['0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'],
    status: 'triaged',
  },
  'POST /api/v1/cps/enrol': { code: 'K7QX-2M9D-4T5B', csr: CERTIFICATE_REQUEST },
  'POST /api/v1/cps/renew': {
    csr: CERTIFICATE_REQUEST,
    certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----',
    signature: 'MEUCIQDx…',
  },
  'POST /api/v1/firmware/keys': { vendor: 'Acme', name: 'release 2026', public_key: PUBLIC_KEY },
  'POST /api/v1/soar/playbooks': {
    name: 'Open a case',
    steps: [{ id: 'open', action: 'create_case', params: { title: '{{ alert.title }}' } }],
  },
  'POST /api/v1/siem/parsers': { name: 'Doors', source: 'door', ...DOORS },
  'POST /api/v1/siem/parsers/preview': { source: 'door', ...DOORS },
  'POST /api/v1/detections/backtest': {
    all: true,
    from: '2026-03-01T00:00:00Z',
    to: '2026-03-02T00:00:00Z',
  },
}
