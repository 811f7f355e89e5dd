import type { Contents } from '@manara/kit/openapi-document'
import { inJson, text } from './api-content.ts'

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
    [...SENDING, 413],
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
  ...['_cluster/health/{index}', '_nodes/_all/http', '_nodes/ingest'],
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
const COLLECTOR_ACK: Contents = {
  body: {
    'application/json': {
      schema: { type: 'object', description: 'Ids of answers to a channel' },
      example: { acks: [1772357400000] },
    },
  },
  answers: asShippersExpect(
    { schema: { type: 'object' }, example: { acks: { 1772357400000: true } } },
    { schema: SPLUNK_ANSWER, example: { text: 'Invalid data format', code: 6 } },
    [400, ...ASKING],
  ),
}
const COLLECTOR_HEALTH: Contents = { answers: splunk(ASKING) }

/** Splunk's, Elastic's and OpenTelemetry's ways in, answered as their clients expect, errors too. */
export const SHIPPER_CONTENTS: Record<string, Contents> = {
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
  'POST /services/collector/ack': COLLECTOR_ACK,
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
