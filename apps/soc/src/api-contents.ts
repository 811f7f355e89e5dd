import type { Contents } from '@manara/kit/openapi-document'
import { CERTIFICATE_REQUEST } from './api-examples.ts'

const text = (description: string) => ({ type: 'string', description })
const answer = (description: string, type: string, example: string): Contents => ({
  answers: {
    200: { description, content: { [type]: { schema: text(description), example } } },
  },
})

const events = (example: string) =>
  answer('Server-sent events, until either side ends it', 'text/event-stream', example)

/** As clients of these systems expect them, errors too. */
const SPLUNK_ANSWER = {
  type: 'object',
  required: ['text', 'code'],
  properties: { text: { type: 'string' }, code: { type: 'integer' } },
}
const ELASTIC_ERROR = {
  type: 'object',
  required: ['error', 'status'],
  properties: { error: { type: 'object' }, status: { type: 'integer' } },
}
const OTLP_ERROR = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
}

type Answer = { schema: object; example: object }

const inJson = (description: string, content: Answer) => ({
  description,
  content: { 'application/json': content },
})

const ASKING = [401, 403, 429, 503]
const SENDING = [400, ...ASKING, 409]

function asShippersExpect(
  success: Answer,
  error: Answer,
  errors: number[],
): NonNullable<Contents['answers']> {
  return {
    200: inJson('Taken, and on disk', success),
    ...Object.fromEntries(errors.map((status) => [status, inJson('Not taken', error)])),
  }
}

const BULK: Contents = {
  body: {
    'application/x-ndjson': {
      schema: text('A line that says what to do and one with the event, again and again'),
      example: '{"create":{}}\n{"@timestamp":"2026-03-01T09:30:00Z","message":"sshd: failed"}\n',
    },
  },
  answers: asShippersExpect(
    {
      schema: {
        type: 'object',
        required: ['took', 'errors', 'items'],
        properties: {
          took: { type: 'integer' },
          errors: { type: 'boolean' },
          items: { type: 'array', items: { type: 'object' } },
        },
      },
      example: { took: 3, errors: false, items: [{ create: { _id: 'a-1', status: 201 } }] },
    },
    {
      schema: ELASTIC_ERROR,
      example: { error: { type: 'security_exception', reason: 'sign in' }, status: 401 },
    },
    SENDING,
  ),
}

const HANDSHAKE: Contents = {
  answers: asShippersExpect(
    { schema: { type: ['object', 'array'] }, example: { acknowledged: true } },
    {
      schema: ELASTIC_ERROR,
      example: { error: { type: 'security_exception', reason: 'sign in' }, status: 401 },
    },
    ASKING,
  ),
}
/** Whatever of these is a route, by any method. */
const HANDSHAKES = [
  ...['_license', '_xpack', '_cluster/health', '_cat/health', '_nodes/http'],
  ...['_index_template/{name}', '_component_template/{name}', '_template/{name}'],
  ...['_ilm/policy/{name}', '_ingest/pipeline/{name}', '_data_stream/{name}'],
  ...['_refresh', '_flush', '_alias', '_alias/{alias}', '_aliases', '{index}'],
  ...['{index}/_refresh', '{index}/_flush', '{index}/_mapping', '{index}/_settings'],
  ...['{index}/_rollover', '{index}/_alias', '{index}/_alias/{alias}', '{index}/_aliases/{alias}'],
]

const DOCUMENT: Contents = {
  body: {
    'application/json': {
      schema: { type: 'object', description: 'One log event' },
      example: { '@timestamp': '2026-03-01T09:30:00Z', message: 'sshd: failed' },
    },
  },
  answers: {
    ...BULK.answers,
    201: inJson('Taken, and on disk', {
      schema: {
        type: 'object',
        required: ['_index', '_id', 'result'],
        properties: {
          _index: { type: 'string' },
          _id: { type: 'string' },
          result: { type: 'string' },
        },
      },
      example: { _index: 'sshd', _id: 'a-1', result: 'created' },
    }),
  },
}
const DOCUMENTS = ['{index}/_doc', '{index}/_doc/{id}', '{index}/_create/{id}']

const byEveryMethod = (paths: string[], contents: Contents) =>
  Object.fromEntries(
    paths.flatMap((path) =>
      ['GET', 'PUT', 'POST'].map((method) => [`${method} /${path}`, contents]),
    ),
  )

const RPC_ANSWER = {
  schema: {
    type: 'object',
    required: ['jsonrpc'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['integer', 'string', 'null'] },
      result: { type: 'object' },
      error: { type: 'object' },
    },
  },
  example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
}
const MCP_ANSWERS: NonNullable<Contents['answers']> = {
  200: {
    description: 'The answer, as JSON or as an event',
    content: {
      'application/json': RPC_ANSWER,
      'text/event-stream': { schema: text('The same as an event'), example: 'event: message\n' },
    },
  },
  405: inJson('There are no sessions to read or to end', RPC_ANSWER),
  406: inJson('Accept has to name application/json and text/event-stream', RPC_ANSWER),
}

const splunk = (errors: number[]) =>
  asShippersExpect(
    { schema: SPLUNK_ANSWER, example: { text: 'Success', code: 0 } },
    { schema: SPLUNK_ANSWER, example: { text: 'Invalid token', code: 4 } },
    errors,
  )
const COLLECTOR: Contents = {
  body: {
    'application/json': {
      schema: { type: 'object', description: 'One event, or several one after the other' },
      example: { event: 'sshd: failed password', sourcetype: 'sshd', host: 'web-1' },
    },
  },
  answers: splunk(SENDING),
}
const RAW_COLLECTOR: Contents = {
  body: { 'text/plain': { schema: text('Lines'), example: 'sshd: failed password\n' } },
  answers: splunk(SENDING),
}
const COLLECTOR_HEALTH: Contents = { answers: splunk(ASKING) }

/** PKCS #10 in base64, as EST has it. */
const EST_REQUEST = {
  'application/pkcs10': {
    schema: text('A certificate request in base64'),
    example: CERTIFICATE_REQUEST.split('\n').slice(1, -1).join('\n'),
  },
}

/** What is no JSON, or comes from routes that read their bodies themselves. */
export const CONTENTS: Record<string, Contents> = {
  'GET /api/v1/events/stream': events('id: 41\nevent: alert.created\ndata: {"id":"0197…"}\n\n'),
  'GET /api/v1/siem/tail': events('event: log\ndata: {"id":"a-1","message":"sshd: failed"}\n\n'),
  'POST /api/v1/chat/stream': events('event: token\ndata: {"text":"Three "}\n\n'),
  'GET /api/v1/reports/{report_id}/download': {
    answers: {
      200: {
        description: 'The file, as an attachment',
        content: {
          'application/pdf': { schema: text('PDF'), example: '%PDF-1.7 …' },
          'text/html': { schema: text('HTML'), example: '<!doctype html>…' },
          'text/markdown': { schema: text('Markdown'), example: '# Report' },
        },
      },
    },
  },
  'GET /api/v1/detections/rules/{rule_id}/sigma': answer(
    'Sigma YAML',
    'application/yaml',
    'title: Failed passwords\nlogsource:\n    product: manara\n',
  ),
  'GET /api/v1/iocs/export': {
    answers: {
      200: {
        description: 'A STIX 2.1 bundle, as an attachment',
        content: {
          'application/stix+json': {
            schema: {
              type: 'object',
              required: ['type', 'id', 'objects'],
              properties: {
                type: { const: 'bundle' },
                id: { type: 'string' },
                objects: { type: 'array', items: { type: 'object' } },
              },
            },
          },
        },
      },
    },
  },
  'GET /api/v1/cps/ca': answer(
    'The certificate of the authority for devices, in PEM',
    'application/x-pem-file',
    '-----BEGIN CERTIFICATE-----\n…',
  ),
  'GET /api/v1/cps/crl': answer('The list of revoked ones, in DER', 'application/pkix-crl', '…'),
  'POST /api/v1/cps/ocsp': answer('The state of one, in DER', 'application/ocsp-response', '…'),
  'POST /.well-known/est/simpleenroll': { body: EST_REQUEST },
  'POST /.well-known/est/simplereenroll': { body: EST_REQUEST },
  'GET /.well-known/est/cacerts': answer(
    'The certificate of the authority, as EST has it',
    'application/pkcs7-mime',
    'MIIB…',
  ),
  'GET /metrics': answer('Prometheus text', 'text/plain', 'soc_database_up 1\n'),
  'POST /api/v1/siem/logs': {
    body: {
      'application/x-ndjson': { schema: text('An event a line'), example: '{"message":"a"}\n' },
      'text/plain': { schema: text('A line of any log each'), example: 'sshd: failed password\n' },
    },
  },
  'POST /api/v1/iocs/import': {
    body: {
      'text/csv': { schema: text('A value a line, or with a heading'), example: '203.0.113.7\n' },
      'application/json': {
        schema: { type: 'object', description: 'A STIX 2.1 bundle, or MISP events' },
        example: {
          type: 'bundle',
          id: 'bundle--0197a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b',
          objects: [],
        },
      },
    },
  },
  'POST /api/v1/firmware/import': {
    body: {
      'application/json': {
        schema: { type: 'object', description: 'A CycloneDX or SPDX list of components' },
        example: {
          bomFormat: 'CycloneDX',
          specVersion: '1.6',
          metadata: {
            component: {
              type: 'firmware',
              name: 'plc-os',
              version: '4.2.1',
              supplier: { name: 'Acme' },
              hashes: [{ alg: 'SHA-256', content: 'ab'.repeat(32) }],
            },
          },
          components: [],
        },
      },
    },
  },
  'POST /mcp': {
    body: {
      'application/json': {
        schema: { type: 'object', description: 'A JSON-RPC request' },
        example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      },
    },
    answers: MCP_ANSWERS,
  },
  'GET /mcp': { answers: MCP_ANSWERS },
  'DELETE /mcp': { answers: MCP_ANSWERS },
  ...byEveryMethod(HANDSHAKES, HANDSHAKE),
  ...byEveryMethod(DOCUMENTS, DOCUMENT),
  'POST /_bulk': BULK,
  'PUT /_bulk': BULK,
  'POST /{index}/_bulk': BULK,
  'PUT /{index}/_bulk': BULK,
  ...Object.fromEntries(
    ['', '/event', '/event/1.0', '/1.0'].map((path) => [
      `POST /services/collector${path}`,
      COLLECTOR,
    ]),
  ),
  ...Object.fromEntries(
    ['/raw', '/raw/1.0'].map((path) => [`POST /services/collector${path}`, RAW_COLLECTOR]),
  ),
  ...Object.fromEntries(
    ['/health', '/health/1.0'].map((path) => [`GET /services/collector${path}`, COLLECTOR_HEALTH]),
  ),
  'POST /v1/logs': {
    body: {
      'application/json': {
        schema: { type: 'object', description: 'ExportLogsServiceRequest' },
        example: { resourceLogs: [] },
      },
      'application/x-protobuf': { schema: text('The same in Protocol Buffers'), example: '' },
    },
    answers: asShippersExpect(
      { schema: { type: 'object' }, example: { partialSuccess: {} } },
      { schema: OTLP_ERROR, example: { code: 16, message: 'sign in' } },
      SENDING,
    ),
  },
}
