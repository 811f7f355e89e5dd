import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createMemory } from '@manara/ui/memory'
import { createAccess } from './access.ts'
import { createApi, Declined, Refused, Unreachable } from './api.ts'

const TOKEN = 'ab'.repeat(32)
/** The line is dead, and nobody says so. */
const SILENCE = new Response()

function fixture(answer: (token: string | undefined) => Response | Error) {
  const memory = createMemory(() => {
    throw new Error('a private window')
  })
  const access = createAccess(memory)
  const asked: string[] = []
  const limits = new Set<() => void>()
  const api = createApi({
    access,
    async fetch(url, { method, headers, signal }) {
      asked.push(`${method} ${url}`)
      const reply = answer(headers.authorization?.replace('Bearer ', ''))
      if (reply instanceof Error) throw reply
      if (reply === SILENCE) await once(signal, 'abort').then(() => signal.throwIfAborted())
      return reply
    },
    after(_ms, then) {
      limits.add(then)
      return () => limits.delete(then)
    },
  })
  return { api, access, asked, limits }
}

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status })
const guarded = (token: string | undefined) =>
  token === TOKEN ? json(200, { success: true }) : json(401, { error: 'wrong' })
const settle = () => new Promise(setImmediate)

test('reading asks for no token', async () => {
  const { api, access } = fixture(() => json(200, { fine: true }))
  assert.deepEqual(await api.get('/playback/status'), { fine: true })
  assert.equal(access.asking.value, null)
})

test('the first change asks for the token, then does what was asked, once', async () => {
  const { api, access, asked } = fixture(guarded)
  const done = api.post('/playback/pause')
  await settle()
  assert.deepEqual(access.asking.value, { isWrong: false })
  assert.deepEqual(asked, [], 'nothing is sent before')
  access.give(TOKEN)
  await done
  await api.post('/playback/resume')
  assert.equal(asked.length, 2)
  assert.equal(access.asking.value, null)
})

test('a wrong token is forgotten and asked for again', async () => {
  const { api, access } = fixture(guarded)
  const done = api.post('/playback/pause')
  await settle()
  access.give('00'.repeat(32))
  await settle()
  await settle()
  assert.deepEqual(access.asking.value, { isWrong: true })
  assert.equal(access.token.value, null)
  access.give(TOKEN)
  await done
})

test('the right token outlives the refusal of a wrong one that comes late', async () => {
  const { api, access } = fixture(guarded)
  const wrong = '00'.repeat(32)
  access.give(wrong)
  const both = [api.post('/playback/pause'), api.post('/playback/volume', { volume: 1 })]
  // The second is still on its way when the first has been refused and the right one is given.
  access.give(TOKEN)
  await Promise.all(both)
  assert.equal(access.token.value, TOKEN)
  assert.equal(access.asking.value, null)
})

test('who does not give it has declined, and nothing was sent', async () => {
  const { api, access, asked } = fixture(guarded)
  const done = api.post('/reset')
  await settle()
  access.refuse()
  await assert.rejects(done, Declined)
  assert.deepEqual(asked, [])
})

test('a refusal knows the field it is about; no answer is not a refusal', async () => {
  const refusing = fixture(() => json(400, { error: 'url: must be http or https' }))
  refusing.access.give(TOKEN)
  await assert.rejects(refusing.api.post('/radio/stations', {}), (error) => {
    assert.ok(error instanceof Refused)
    assert.deepEqual([error.status, error.field], [400, 'url'])
    return true
  })
  const silent = fixture(() => new Error('ECONNREFUSED'))
  await assert.rejects(silent.api.get('/prayer'), Unreachable)
})

test('a box that says nothing is given up; what has answered is not', async () => {
  const { api, access, limits } = fixture(() => SILENCE)
  access.give(TOKEN)
  const done = assert.rejects(api.post('/playback/pause'), Unreachable)
  for (const passed of limits) passed()
  await done
  const answering = fixture(() => json(200, {}))
  await answering.api.get('/prayer')
  assert.equal(answering.limits.size, 0)
})

test('half an answer is none', async () => {
  const { api } = fixture(() => new Response('{"reciters":[', { status: 200 }))
  await assert.rejects(api.get('/library/reciters'), Unreachable)
  const refusing = fixture(() => new Response('<html>', { status: 502 }))
  await assert.rejects(refusing.api.get('/prayer'), Refused)
})

test('a token copied from a console is cleaned of what came along', () => {
  const { access } = fixture(guarded)
  access.give(` "${TOKEN.toUpperCase().replace(/(.{8})/g, '$1 ')}"\n`)
  assert.equal(access.token.value, TOKEN)
})
