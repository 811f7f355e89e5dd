import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routesOf } from './http/guard.ts'
import {
  type Document,
  documentClient,
  type Operation,
  operationsOf,
} from './testing/document-client.ts'
import { startTestSoc } from './testing/test-soc.ts'

/** Makes first, then reads and changes, removes last; what ends the session is left to the end. */
const ORDER = ['POST', 'PUT', 'GET', 'PATCH', 'DELETE']
const ENDS_SESSION = /\/(auth\/logout|users\/me\/password)$/
/** Routes of which an answer that is no success is right for lack of an engine or a record. */
const LEAST_SUCCESSES = 0.6
/** The example is right, and does not fit what this service has at this moment. */
const NO_RECORD =
  /there is no |does not exist|is wrong|is known already|unknown or over|(signature|certificate): /

const depth = ({ path }: Operation) => path.split('/').length
const rank = (operation: Operation) =>
  (ENDS_SESSION.test(operation.path) ? 100 : 0) + ORDER.indexOf(operation.method)

/** Ids as they turn up in answers, by the path of the collection they were in. */
function createKnownIds() {
  const ids = new Map<string, string>()
  return {
    learn(path: string, body: unknown) {
      if (typeof body !== 'object' || body === null) return
      const { items, id, username } = body as {
        items?: object[]
        id?: string
        username?: string
      }
      const first = items?.[0] as { id?: string; username?: string } | undefined
      const found = path.endsWith('/users') ? (username ?? first?.username) : (id ?? first?.id)
      if (found !== undefined && !ids.has(path)) ids.set(path, String(found))
    },
    /** The path with what is known in the place of each parameter. */
    fill: (path: string) =>
      path
        .split('/')
        .reduce(
          (filled, part) =>
            part.startsWith('{')
              ? `${filled}/${encodeURIComponent(ids.get(filled.slice(1)) ?? 'nobody')}`
              : `${filled}/${part}`,
          '',
        )
        .slice(1),
  }
}

test('a client made from the document calls every route, and each answer is as described', async (t) => {
  const soc = await startTestSoc(t)
  const token = await soc.signIn()
  const base = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const reply = await fetch(`${base}/api/v1/openapi.json`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const document = (await reply.json()) as Document
  const client = documentClient(document, base, token)
  const known = createKnownIds()
  const operations = operationsOf(document).toSorted(
    (a, b) => rank(a) - rank(b) || depth(a) - depth(b),
  )
  const complaints: string[] = []
  const refused: string[] = []
  let successes = 0
  for (const operation of operations) {
    const path = known.fill(operation.path)
    const answer = await client.call(operation, path)
    const name = `${operation.method} ${operation.path}`
    const complaint = client.complaintOf(operation, answer)
    if (complaint) complaints.push(`${name}: ${complaint}`)
    if (answer.status === 400 && !NO_RECORD.test(JSON.stringify(answer.body)))
      refused.push(`${name}: ${JSON.stringify(answer.body)}`)
    if (answer.status < 300) {
      successes += 1
      known.learn(path, answer.body)
    }
  }
  assert.deepEqual(complaints, [])
  assert.deepEqual(refused, [], 'an example of the document is refused')
  const share = successes / operations.length
  assert.ok(share > LEAST_SUCCESSES, `only ${successes} of ${operations.length} succeeded`)
})

test('the document has every route but the pages and the handshakes of shippers', async (t) => {
  const soc = await startTestSoc(t)
  const { body } = await soc.call('GET', '/openapi.json', { as: await soc.signIn() })
  const told = new Set(
    operationsOf(body as Document).map(({ method, path }) => `${method} ${path}`),
  )
  const missing = routesOf(soc.http)
    // Files of the pages are public.
    .filter(({ url, access }) => access?.kind !== 'public' || /^\/(api|health)/.test(url))
    .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
    .filter((name) => !/^(HEAD|OPTIONS) /.test(name) && !told.has(name) && !UNTOLD.test(name))
  assert.deepEqual(missing, [])
})

const UNTOLD =
  /^\w+ \/($|\*$|console|icon|index|sign-in|mcp$|api\/v1\/(docs|openapi)|_(license|xpack|cluster|cat|nodes|index_template|component_template|template|ilm|ingest|data_stream))/

test('every body of the document has an example, and every JSON body a named schema', async (t) => {
  const soc = await startTestSoc(t)
  const { body } = await soc.call('GET', '/openapi.json', { as: await soc.signIn() })
  for (const { method, path, requestBody, responses } of operationsOf(body as Document)) {
    const contents = [requestBody, ...Object.values(responses)].flatMap((one) =>
      Object.entries(one?.content ?? {}),
    )
    for (const [type, content] of contents) {
      assert.ok('example' in content, `${method} ${path} ${type}`)
    }
    if (!path.startsWith('/api/v1')) continue
    for (const status of ['400', '503']) {
      const { schema } = responses[status]?.content?.['application/json'] ?? {}
      assert.deepEqual(schema, { $ref: '#/components/schemas/Error' }, `${method} ${path}`)
    }
  }
})

test('every module of the contract that describes bodies has named schemas', () => {
  const folder = new URL('../../../packages/soc-contract/src/', import.meta.url)
  const listed = readFileSync(new URL('./api-schemas.ts', import.meta.url), 'utf8')
  // These have no bodies of this API: texts, lists, names, and what an EDR of others answers.
  const others = /^(agent-names|canonical-json|each-of|edr-api|events|lists|permissions-page|text)$/
  const missing = readdirSync(folder)
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => file.replace('.ts', ''))
    .filter((name) => !others.test(name) && !listed.includes(`/${name}'`))
  assert.deepEqual(missing, [])
})
