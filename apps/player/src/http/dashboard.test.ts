import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHttp } from '@manara/kit/http'
import { serveDashboard } from './dashboard.ts'

const SCRIPT = 'main-ABCD1234.js'

/** A server with a dashboard of these files, as a build leaves them. */
async function dashboard(t: TestContext, files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'dashboard-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  const http = createHttp({ envelope: (error) => ({ error }), bodyLimit: 1024 })
  await serveDashboard(http, folder)
  return http
}

const BUILT = {
  'index.html': '<!doctype html>',
  'page-library.html': '<!doctype html>library',
  [SCRIPT]: 'let plain',
  [`${SCRIPT}.br`]: 'pressed hard',
  [`${SCRIPT}.gz`]: 'pressed',
  'sw.js': 'worker',
  '.built-from.json': '{}',
}

test('GET /* is the page, under a policy that runs only its own files and speaks only to its box', async (t) => {
  const http = await dashboard(t, BUILT)
  const reply = await http.inject({ url: '/library/Husary', headers: { host: 'manara.local' } })
  assert.equal(reply.statusCode, 200)
  assert.match(String(reply.headers['content-type']), /^text\/html/)
  assert.equal(reply.headers['cache-control'], 'no-cache')
  assert.ok(reply.headers.etag)
  const policy = String(reply.headers['content-security-policy'])
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self' ws://manara.local wss://manara.local",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types manara',
  ]) {
    assert.ok(policy.split('; ').includes(rule), rule)
  }
  assert.doesNotMatch(policy, /unsafe|\*/)
})

test('a Host that is no name does not reach the policy', async (t) => {
  const http = await dashboard(t, BUILT)
  const reply = await http.inject({ url: '/', headers: { host: "x; script-src 'unsafe-inline'" } })
  assert.doesNotMatch(String(reply.headers['content-security-policy']), /unsafe/)
})

test('files named by their content are kept for a year, the others are asked for again', async (t) => {
  const http = await dashboard(t, BUILT)
  const script = await http.inject(`/${SCRIPT}`)
  assert.match(String(script.headers['cache-control']), /max-age=31536000, immutable/)
  assert.equal((await http.inject('/sw.js')).headers['cache-control'], 'no-cache')
})

for (const [accepted, body, encoding] of [
  ['br, gzip', 'pressed hard', 'br'],
  ['gzip', 'pressed', 'gzip'],
  ['identity', 'let plain', undefined],
]) {
  test(`who accepts ${accepted} gets the file as ${encoding ?? 'it is'}`, async (t) => {
    const http = await dashboard(t, BUILT)
    const headers = { 'accept-encoding': accepted ?? '' }
    const reply = await http.inject({ url: `/${SCRIPT}`, headers })
    assert.equal(reply.body, body)
    assert.equal(reply.headers['content-encoding'], encoding)
    assert.match(String(reply.headers['content-type']), /javascript/)
    assert.match(String(reply.headers['cache-control']), /immutable/)
  })
}

test('an address that leads to a page of its own asks early for what that is made of', async (t) => {
  const http = await dashboard(t, BUILT)
  for (const [url, body] of [
    ['/library/Husary', '<!doctype html>library'],
    ['/library?q=1', '<!doctype html>library'],
    ['/library/Husary.128kbps', '<!doctype html>library'],
    ['/prayer', '<!doctype html>'],
    ['/', '<!doctype html>'],
  ] as const) {
    const reply = await http.inject(url)
    assert.equal(reply.body, body, url)
    assert.ok(reply.headers['content-security-policy'], url)
  }
})

for (const url of [
  // Under their own names pages would go out without the policy.
  '/index.html',
  '/page-library.html',
  '/main-GONE0000.js',
  '/part.css',
  '/.built-from.json',
  '/api/nope',
  '/api',
  '/ws',
]) {
  test(`GET ${url} is not found, never the page`, async (t) => {
    const http = await dashboard(t, BUILT)
    const reply = await http.inject(url)
    assert.equal(reply.statusCode, 404)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
  })
}

test('who wants a picture or JSON at the path of a page gets no page', async (t) => {
  const http = await dashboard(t, BUILT)
  const reply = await http.inject({ url: '/library', headers: { accept: 'application/json' } })
  assert.equal(reply.statusCode, 404)
})

test('an installation without the dashboard says so in a sentence', async (t) => {
  const http = await dashboard(t, {})
  const reply = await http.inject('/')
  assert.equal(reply.statusCode, 200)
  assert.match(reply.body, /not part of this installation/)
})
