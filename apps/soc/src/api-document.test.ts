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
const LEAST_SUCCESSES = 0.74
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

test('the document', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { body } = await soc.call('GET', '/openapi.json', { as })
  const operations = operationsOf(body as Document)
  const routes = routesOf(soc.http).map(({ method, url, access }) => ({
    name: `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`,
    ...{ url, access },
  }))

  await t.test('has every route but the pages', () => {
    const told = new Set(operations.map(nameOf))
    const missing = routes
      // Files of the pages are public.
      .filter(({ url, access }) => access?.kind !== 'public' || /^\/(api|health)/.test(url))
      // With a slash behind it a path is the same one.
      .map(({ name }) => name.replace(/(?<=\w)\/$/, ''))
      .filter((name) => !/^(HEAD|OPTIONS) /.test(name) && !told.has(name) && !UNTOLD.test(name))
    assert.deepEqual(missing, [])
  })

  await t.test('has an example of every body, and a named schema of every JSON body', () => {
    for (const { method, path, requestBody, responses } of operations) {
      const contents = [requestBody, ...Object.values(responses)].flatMap((one) =>
        Object.entries(one?.content ?? {}),
      )
      for (const [type, content] of contents) {
        assert.ok('example' in content, `${method} ${path} ${type}`)
      }
      if (!path.startsWith('/api/v1')) continue
      for (const status of ['400', '503'].filter((one) => one !== '400' || responses[one])) {
        const { schema } = responses[status]?.content?.['application/json'] ?? {}
        assert.deepEqual(schema, { $ref: '#/components/schemas/Error' }, `${method} ${path}`)
      }
    }
  })

  await t.test('tells what a list is when nothing is asked of it', () => {
    const list = operations.find((operation) => nameOf(operation) === 'GET /api/v1/alerts')
    const told = (list?.parameters ?? []).map(({ name, schema }) => [name, schema?.default])
    assert.partialDeepStrictEqual(Object.fromEntries(told), {
      ...{ skip: 0, limit: 50, sort: 'created_at', order: 'desc' },
    })
  })

  await t.test('has no example of an error that is one of another', () => {
    // What shippers of logs are answered has the words of their own protocols.
    for (const operation of operations.filter(({ path }) => path.startsWith('/api/v1'))) {
      const examples = Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([, { content }]) => JSON.stringify(content?.['application/json']?.example))
        .filter((example) => example !== undefined)
      assert.equal(new Set(examples).size, examples.length, nameOf(operation))
    }
  })

  await t.test('tells the errors that come, and no others', async () => {
    const key = await soc.call('POST', '/users/admin/api-keys', {
      as,
      body: { name: 'few', scopes: ['sites:read'] },
    })
    const kinds = new Map(routes.map(({ name, access }) => [name, access?.kind]))
    const wrong: string[] = []
    for (const operation of operations.filter(({ path }) => !OTHER_ERRORS.test(path))) {
      const { method, path } = operation
      const isRead = method === 'GET'
      const url = path.replaceAll(/\{\w+\}/g, 'nobody')
      const kind = kinds.get(nameOf(operation)) ?? ''
      const send = async (query: string, headers: Record<string, string>, payload = '') =>
        (await soc.http.inject({ method: method as 'GET', url: url + query, headers, payload }))
          .statusCode
      const expectOnly = (status: number, seen: number, why: string) => {
        const isTold = String(status) in operation.responses
        if (isTold !== (seen === status)) wrong.push(`${method} ${path} ${why}: ${seen}`)
      }
      const signedIn = { authorization: `Bearer ${as}` }
      expectOnly(401, await send('', {}), 'nobody is signed in')
      if (/^(permissions|role)$/.test(kind)) {
        const headers = { 'x-api-key': key.body.key ?? key.body.api_key }
        if (!path.startsWith('/api/v1/sites')) expectOnly(403, await send('', headers), 'no scope')
      }
      if (isRead) {
        const seen = await send('?no_such_parameter=1&limit=x', signedIn)
        if (kind !== 'public') expectOnly(400, seen, 'a wrong parameter')
        if (path.includes('{')) expectOnly(404, await send(asked(operation), signedIn), 'no record')
      } else if (operation.requestBody?.content['application/json']) {
        const headers = { ...signedIn, 'content-type': 'application/json' }
        expectOnly(400, await send('', headers, '{'), 'half a body')
      }
    }
    assert.deepEqual(wrong, [])
  })
})

const nameOf = ({ method, path }: Operation) => `${method} ${path}`

/** The parameters it cannot do without. */
const asked = ({ parameters = [] }: Operation) =>
  `?${new URLSearchParams(
    parameters.flatMap(({ name, example }) =>
      example === undefined ? [] : [[name, String(example)] as [string, string]],
    ),
  )}`

const UNTOLD = /^\w+ \/($|\*$|console|icon|index|sign-in|api\/v1\/(docs|openapi|cps\/ocsp\/\*))/
/** Proven by the call itself, told apart by address, or streams without an end. */
const OTHER_ERRORS =
  /^\/(metrics|mcp|\{index\}$|\.well-known)|\/auth\/(token|passkeys|oidc)|\/cps\/(enrol|renew|ocsp|devices\/\{id\}\/logs)|\/(events\/stream|siem\/tail)$/

test('every module of the contract that describes bodies has named schemas', () => {
  const folder = new URL('../../../packages/soc-contract/src/', import.meta.url)
  const listed = readFileSync(new URL('./api-schemas.ts', import.meta.url), 'utf8')
  // These have no bodies of this API: texts, lists, names, and what an EDR of others answers.
  const others =
    /^(agent-names|canonical-json|each-of|edr-api|empty-file|events|lists|literal-criterion|permissions-page|storable|text|timezone)$/
  const missing = readdirSync(folder)
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => file.replace('.ts', ''))
    .filter((name) => !others.test(name) && !listed.includes(`/${name}'`))
  assert.deepEqual(missing, [])
})
