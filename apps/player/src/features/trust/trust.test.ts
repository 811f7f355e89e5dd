import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

const authority = { pem: '-----BEGIN CERTIFICATE-----\n', fingerprint: 'AB:CD:EF' }

test('GET /ca.crt is the root, as a type that phones install', async (t) => {
  const { app } = await playerFixture(t, { authority })
  const reply = await app.inject('/ca.crt')
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.headers['content-type'], 'application/x-x509-ca-cert')
  assert.equal(reply.body, authority.pem)
})

test('GET /trust explains the warning in the language of the box, with the fingerprint', async (t) => {
  const { app, post } = await playerFixture(t, { authority })
  await post('/settings/hostname', { hostname: 'minaret' })
  const page = await app.inject('/trust')
  assert.match(page.headers['content-type'] as string, /^text\/html/)
  for (const part of ['AB:CD:EF', 'href="/ca.crt"', 'https://minaret.local', 'iPhone', 'Android']) {
    assert.ok(page.body.includes(part), part)
  }
  await post('/settings/language', { language: 'ar' })
  assert.match((await app.inject('/trust')).body, /<html lang="ar" dir="rtl">[\s\S]*آيفون/)
})

test('a player that does not encrypt has neither, and says so', async (t) => {
  const { app } = await playerFixture(t)
  for (const url of ['/ca.crt', '/trust']) {
    const reply = await app.inject(url)
    assert.equal(reply.statusCode, 404)
    assert.match(reply.json().error, /plain HTTP/)
  }
})
