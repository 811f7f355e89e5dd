import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionsOf, Role } from '@manara/soc-contract/permissions'
import { startTestSoc, type TestSoc } from '../testing/test-soc.ts'
import { type GuardedRoute, routesOf } from './guard.ts'
import type { Access } from './permissions.ts'

// The certificates of devices are checked by whoever meets one: their authority and its list too.
const PUBLIC = [
  'GET /*',
  'GET /.well-known/est/cacerts',
  'GET /api/v1/auth/oidc/callback',
  'GET /api/v1/auth/oidc/start',
  'GET /api/v1/auth/ways',
  'GET /api/v1/cps/ca',
  'GET /api/v1/cps/crl',
  'GET /api/v1/cps/ocsp/*',
  'GET /api/v1/cps/ocsp/:request',
  'GET /health',
  'GET /sign-in',
  'POST /api/v1/auth/passkeys',
  'POST /api/v1/auth/passkeys/options',
  'POST /api/v1/auth/token',
  'POST /api/v1/cps/ocsp',
]
// Files of the console as they were built, and of the page where one signs in.
const FILES = /^GET \/(sign-in\/)?([\w-]+\.(js|css|html|svg|woff2|txt)(\.(br|gz))?)?$/
// For devices: with a one-time code or the key of their certificate.
const PROVEN = [
  'POST /.well-known/est/simpleenroll',
  'POST /.well-known/est/simplereenroll',
  'POST /api/v1/cps/devices/:id/logs',
  'POST /api/v1/cps/enrol',
  'POST /api/v1/cps/renew',
]
// Made by the documentation plugin, which knows no permissions: signed-in callers only.
const DOCUMENTATION = /^\/api\/v1\/(docs(\/|$)|openapi\.json$)/

const isHead = ({ method }: GuardedRoute) => method === 'HEAD' || method === 'OPTIONS'
const nameOf = ({ method, url }: GuardedRoute) => `${method} ${url}`

/** Only the status: an event stream never ends, so it is left as soon as it has begun. */
async function statusOf(soc: TestSoc, { method, url }: GuardedRoute, token?: string) {
  const reply = await soc.http.inject({
    method: method as 'GET',
    url: url.replaceAll(/:\w+/g, 'nobody').replace('*', 'x'),
    payloadAsStream: true,
    // Of the two at `/`, and below it, the one that is not public is for those who ask for it.
    headers: {
      accept: url === '/' || url === '/:index' ? 'application/vnd.elasticsearch+json' : '*/*',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
  })
  reply.raw.res.destroy()
  return reply.statusCode
}

function admits(access: Access, role: Role): boolean {
  if (access.kind === 'role') return role === access.role
  if (access.kind !== 'permissions') return true
  return access.permissions.every((permission) => permissionsOf(role).has(permission))
}

test('the table of routes', async (t) => {
  const soc = await startTestSoc(t)
  const routes = routesOf(soc.http)

  await t.test('every route says who may call it', async () => {
    const unsaid = routes.filter(({ url, access }) => !access && !DOCUMENTATION.test(url))
    assert.deepEqual(unsaid.map(nameOf), [])
    assert.ok(routes.length > 20, `only ${routes.length} routes were seen`)
  })

  await t.test('HEAD is for whom GET is', async () => {
    const accessTo = (wanted: string) =>
      new Map(
        routes.flatMap(({ method, url, access }) => (method === wanted ? [[url, access]] : [])),
      )
    const get = accessTo('GET')
    for (const [url, access] of accessTo('HEAD')) assert.deepEqual(access, get.get(url), url)
  })

  await t.test('nothing is public but health, sign-in and the console', async () => {
    const open = routes.filter((route) => route.access?.kind === 'public')
    const names = open.filter((route) => !isHead(route)).map(nameOf)
    assert.deepEqual([...new Set(names)].filter((name) => !FILES.test(name)).sort(), PUBLIC)
  })

  await t.test(
    'nothing but enrolment, renewal and logs of devices checks its callers by itself',
    async () => {
      const proven = routes.filter((route) => route.access?.kind === 'proof')
      assert.deepEqual(proven.map(nameOf).sort(), PROVEN)
    },
  )

  await t.test('every other route is 401 without a token', async () => {
    for (const route of routes) {
      // These calls come from this machine, which is enough for the metrics.
      if (['public', 'local', 'proof'].includes(route.access?.kind ?? '')) continue
      assert.equal(await statusOf(soc, route), 401, nameOf(route))
    }
  })

  for (const role of Role.options) {
    await t.test(`each route admits or refuses ${role} as its permissions say`, async () => {
      const password = role === 'admin' ? undefined : `${role} password`
      let token = role === 'admin' ? await soc.signIn() : await soc.signInAs(role)
      for (const route of routes) {
        const { access } = route
        // HEAD goes the same way as GET, and was refused above like everything else.
        if (isHead(route) || !access || ['public', 'proof'].includes(access.kind)) continue
        const answer = await statusOf(soc, route, token)
        if (admits(access, role))
          assert.ok(![401, 403].includes(answer), `${nameOf(route)} ${answer}`)
        else assert.equal(answer, 403, nameOf(route))
        if (route.url.endsWith('/auth/logout')) token = await soc.signIn(role, password)
      }
    })
  }

  await t.test(
    'who must enrol a second factor is refused everywhere but where one does',
    async () => {
      await soc.query(`UPDATE sign_in_policy SET second_factor_roles = '{manager}'`)
      const token = await soc.signIn('manager', 'manager password')
      const admitted = []
      for (const route of routes) {
        const { access } = route
        if (access?.kind === 'public' || PROVEN.includes(nameOf(route)) || isHead(route)) continue
        // Last, since it ends the session.
        if (route.url.endsWith('/auth/logout')) continue
        if ((await statusOf(soc, route, token)) !== 403) admitted.push(nameOf(route))
      }
      assert.deepEqual(admitted.sort(), [
        'GET /api/v1/auth/second-factors',
        'GET /api/v1/users/me',
        'POST /api/v1/auth/second-factors/passkeys',
        'POST /api/v1/auth/second-factors/passkeys/options',
        'POST /api/v1/auth/second-factors/totp',
        'POST /api/v1/auth/second-factors/totp/confirm',
      ])
    },
  )
})
