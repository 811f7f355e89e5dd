import type { Contents } from '@manara/kit/openapi-document'
import { inJson, text } from './api-content.ts'
import { SHIPPER_CONTENTS } from './api-contents-shippers.ts'
import { CERTIFICATE_REQUEST } from './api-examples.ts'

const answer = (description: string, type: string, example: string): Contents => ({
  answers: {
    200: { description, content: { [type]: { schema: text(description), example } } },
  },
})

const events = (example: string) =>
  answer('Server-sent events, until either side ends it', 'text/event-stream', example)

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
  'GET /api/v1/cps/ocsp/{request}': answer(
    'The state of one, in DER',
    'application/ocsp-response',
    '…',
  ),
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
      'text/csv': {
        schema: text('A line of names, and a row for each event'),
        example: 'timestamp,host,message\n2026-01-02T03:04:05Z,web1,it broke\n',
      },
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
  ...SHIPPER_CONTENTS,
}
