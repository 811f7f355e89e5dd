import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { type Permission, permissionsOf, Role } from '@manara/soc-contract/permissions'
import { ADMIN_PARTS, maySee } from './pages/admin/parts.ts'
import { PAGES } from './pages.ts'
import { BASE } from './stores/api.ts'

const PEOPLE = Role.options.filter((role) => role !== 'service')

const READERS_SEE = 'overview alerts cases search hunts rules response'
const SEEN: Record<(typeof PEOPLE)[number], [pages: string, admin: string]> = {
  viewer: [
    `${READERS_SEE} agents devices intel reports admin start`,
    'sources parsers second-factor retention sites',
  ],
  analyst: [
    `${READERS_SEE} investigate agents devices intel reports admin start`,
    'sources parsers second-factor retention sites',
  ],
  detection_engineer: [
    `${READERS_SEE} investigate agents devices intel reports admin start`,
    'sources parsers second-factor retention sites',
  ],
  responder: [
    `${READERS_SEE} investigate agents devices intel reports admin start`,
    'sources parsers second-factor retention sites',
  ],
  manager: [
    `${READERS_SEE} investigate agents devices intel reports admin start`,
    'sources parsers second-factor secrets retention sites',
  ],
  auditor: [
    `${READERS_SEE} agents devices intel reports admin start`,
    'sources parsers second-factor retention audit sites',
  ],
  admin: [
    `${READERS_SEE} investigate agents devices intel reports admin start`,
    'sources parsers users second-factor single-sign-on api-keys secrets retention audit sites',
  ],
}

for (const role of PEOPLE) {
  test(`${role} sees the pages and parts of the role, and no others`, () => {
    const may = (permission: Permission) => permissionsOf(role).has(permission)
    const [pages, admin] = SEEN[role]
    const seen = PAGES.filter(({ needs }) => may(needs)).map(({ name }) => name)
    assert.equal(seen.join(' '), pages)
    const parts = ADMIN_PARTS.filter((one) => maySee(one, role, may))
    assert.equal(parts.map(({ name }) => name).join(' '), admin)
  })
}

type Asked = { file: string; method: string; path: string }

type GuardedRoute = {
  method: string
  url: string
  access?: { kind: 'permissions'; permissions: Permission[] } | { kind: 'role' | 'authenticated' }
}

/** What the service says of its routes; nothing of it is started for that. */
async function readRoutes(): Promise<GuardedRoute[]> {
  // By its address: the types of the service are not those of a page.
  const load = (file: string) => import(new URL(`../../soc/src/${file}`, import.meta.url).href)
  const [{ composeSoc }, { readConfig }, { routesOf }] = await Promise.all(
    ['compose/soc.ts', 'config.ts', 'http/guard.ts'].map(load),
  )
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-routes-'))
  const log = createLogger({ service: 'soc', level: 'silent', pretty: false })
  const connection = { host: dataDir }
  const soc = await composeSoc({ ...readConfig({}), dataDir }, { connection, log })
  await soc.http.ready()
  const routes: GuardedRoute[] = routesOf(soc.http)
  await soc.stop()
  rmSync(dataDir, { recursive: true, force: true })
  return routes.flatMap(({ url, ...route }) =>
    url.startsWith(BASE) ? [{ ...route, url: url.slice(BASE.length) }] : [],
  )
}

const sources = new Map(
  globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .filter((file) => !file.includes('.test.') && !file.startsWith('testing'))
    .map((file) => [file, readFileSync(path.join(import.meta.dirname, file), 'utf8')]),
)

/** A file, and those that show it: what is asked there holds for it too. */
function withParents(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [other, text] of sources) {
    const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) =>
      path.join(path.dirname(other), name),
    )
    if (imported.includes(file) && other.startsWith('pages/')) withParents(other, seen)
  }
  return seen
}

const METHODS = { post: 'POST', patch: 'PATCH', put: 'PUT', remove: 'DELETE', upload: 'POST' }

function askedIn(file: string, text: string): Asked[] {
  // What a path begins with where it is kept under a name.
  const named = new Map(
    [...text.matchAll(/const (\w+) = [`'](\/[^`'?]+)/g)].map(([, name, path]) => [name, path]),
  )
  const whole = (said: string) =>
    said.replace(/^\$\{(\w+)\}/, (_, name) => named.get(name) ?? '').replace(/\?.*$/, '')
  const calls = text.matchAll(
    /api\s*\.(post|patch|put|remove|upload)(?:<[^(]*>)?\(\s*[`']([^`']+)[`']/g,
  )
  const reads = text.matchAll(
    /(?:useRead(?:<[^(]*>)?\(|api\s*\.get(?:<[^(]*>)?\(|path=\{?|withQuery\(|\? |: )\s*[`'"](\/[a-z][^`'"]+)[`'"]/g,
  )
  return [
    ...[...calls].map(([, how, said = '']) => ({
      ...{ file, method: METHODS[how as keyof typeof METHODS], path: whole(said) },
    })),
    ...[...reads].map(([, said = '']) => ({ file, method: 'GET', path: whole(said) })),
  ].filter(({ path: asked }) => asked.startsWith('/'))
}

/** `/cases/${id}/tasks` is `/cases/:case_id/tasks`; a word of one may be a name in the other. */
function routeOf(routes: GuardedRoute[], { method, path: asked }: Asked): GuardedRoute | undefined {
  const parts = asked.split('/')
  const exactness = ({ url }: GuardedRoute) =>
    url.split('/').filter((part, at) => part === parts[at]).length
  return routes
    .filter((route) => {
      const own = route.url.split('/')
      return (
        route.method === method &&
        own.length === parts.length &&
        own.every(
          (part, at) => part === parts[at] || part.startsWith(':') || parts[at]?.includes('${'),
        )
      )
    })
    .sort((a, b) => exactness(b) - exactness(a))[0]
}

/** Who gets to see what a file shows. */
function comersTo(files: string[]): Role[] {
  const page = PAGES.find(({ path: name }) => files[0]?.startsWith(`pages/${name || 'overview'}/`))
  const part = ADMIN_PARTS.find(({ name }) => files.includes(`pages/admin/${name}.tsx`))
  return PEOPLE.filter((role) => {
    const may = (permission: Permission) => permissionsOf(role).has(permission)
    return (!page || may(page.needs)) && (!part || maySee(part, role, may))
  })
}

/** Everybody who comes there may do it, or it is asked whether they may before it is offered. */
function isGuarded(file: string, { access }: GuardedRoute): boolean {
  const files = [...withParents(file)]
  const guards = files.map((one) => sources.get(one) ?? '').join('\n')
  const comers = comersTo(files)
  if (access?.kind === 'role') {
    return /isAdmin|role [!=]== 'admin'/.test(guards) || comers.every((role) => role === 'admin')
  }
  if (access?.kind !== 'permissions') return true
  return access.permissions.every(
    (name) =>
      guards.includes(`may('${name}')`) || comers.every((role) => permissionsOf(role).has(name)),
  )
}

test('nothing is asked of the service that the role may not do', async () => {
  const routes = await readRoutes()
  const asked = [...sources].flatMap(([file, text]) => askedIn(file, text))
  const known = asked.map((one) => ({ ...one, route: routeOf(routes, one) }))
  const unknown = known.filter(({ method, route }) => method !== 'GET' && !route)
  assert.deepEqual(unknown, [])
  const found = known.flatMap(({ route, ...one }) => (route ? [{ ...one, route }] : []))
  assert.ok(found.length > 120, `only ${found.length} of ${asked.length} calls are known`)
  assert.deepEqual(
    found
      .filter(({ file, route }) => !isGuarded(file, route))
      .map(({ file, method, path: to, route }) => [file, method, to, route.access]),
    [],
  )
})
