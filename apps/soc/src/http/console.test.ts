import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createHttp } from '@manara/kit/http'
import { startTestSoc } from '../testing/test-soc.ts'
import { serveConsole } from './console.ts'

test('the console: its page for every path a person may open, and nothing else', async (t) => {
  const soc = await startTestSoc(t)
  const get = (url: string, accept = 'text/html,*/*') =>
    soc.http.inject({ method: 'GET', url, headers: { accept } })

  await t.test('a page of the console is its page, under a strict policy', async () => {
    for (const url of ['/', '/alerts', '/cases/0191?x=1', '/search?q=a.b']) {
      const reply = await get(url)
      assert.equal(reply.statusCode, 200, url)
      assert.match(reply.body, /<div id="app">/)
      const policy = String(reply.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /require-trusted-types-for 'script'/)
      assert.match(policy, /frame-ancestors 'none'/)
    }
  })

  await t.test(
    'files are named by their content and kept, the page is asked for anew',
    async () => {
      const { body, headers } = await get('/')
      assert.equal(headers['cache-control'], 'no-cache')
      const [, script = ''] = /src="\/(main-\w+\.js)"/.exec(body) ?? []
      const file = await get(`/${script}`, '*/*')
      assert.match(String(file.headers['cache-control']), /immutable/)
      assert.match(String(file.headers['content-type']), /javascript/)
    },
  )

  await t.test('what is missing is not found, and never a page', async () => {
    assert.equal((await get('/main-00000000.js')).statusCode, 404)
    assert.equal((await get('/api/v1/nowhere')).statusCode, 404)
    assert.equal((await get('/nowhere', 'application/json')).statusCode, 404)
    assert.equal((await get('/../package.json')).statusCode, 404)
    assert.equal((await get('/.built-from.json', '*/*')).statusCode, 404)
  })

  await t.test('signing in is a page of its own', async () => {
    const reply = await get('/sign-in/')
    assert.equal(reply.statusCode, 200)
    assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/)
    assert.equal((await get('/sign-in')).headers.location, '/sign-in/')
  })
})

test('an installation without the console says how to build it', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'manara-console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const http = createHttp({} as never)
  t.after(() => http.close())
  await serveConsole(http, folder)
  const reply = await http.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } })
  assert.match(reply.body, /node scripts\/web\.ts soc-web/)
})
