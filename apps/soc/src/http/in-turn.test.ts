import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttp } from '@manara/kit/http'
import { rememberCaller } from '../core/identity/caller.ts'
import { createInTurn } from './in-turn.ts'

test('a user with too many searches under way is 429 with what to do, and others go on', async (t) => {
  const http = createHttp({ envelope: (detail) => ({ detail }), bodyLimit: 1_000 })
  t.after(() => http.close())
  const inTurn = createInTurn({ atOnce: 1, each: 2 })
  const ends: (() => void)[] = []
  http.addHook('onRequest', async (request) => {
    const username = String(request.headers['x-user'])
    const principal = { username, role: 'analyst', permissions: new Set(), kind: 'user' } as const
    rememberCaller(request, {
      session: { principal: principal as never, id: username, expiresAt: 0 },
      credential: { kind: 'token', value: '' },
    })
  })
  http.get('/search', (_request, reply) =>
    inTurn(reply, async () => {
      await new Promise<void>((resolve) => ends.push(resolve))
      return { ok: true }
    }),
  )
  // It is sent once somebody waits for it.
  const ask = (user: string) =>
    http.inject({ url: '/search', headers: { 'x-user': user } }).then((reply) => reply)
  const first = [ask('ann'), ask('ann')]
  const refused = await ask('ann')
  assert.equal(refused.statusCode, 429)
  assert.match(refused.json().detail, /let one end or cancel it, narrow its time range/)
  const all = [...first, ask('bob')]
  for (let ended = 0; ended < 3; ended += 1) {
    while (ends.length === 0) await new Promise(setImmediate)
    ends.shift()?.()
  }
  for (const reply of await Promise.all(all)) assert.equal(reply.statusCode, 200)
})
