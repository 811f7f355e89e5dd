import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createHttp } from '@manara/kit/http'
import { rememberCaller } from '../core/identity/caller.ts'
import { createFilesInTurn, createInTurn, createTrialsInTurn, type InTurn } from './in-turn.ts'

test('a user with too many searches under way is 429 with what to do, and others go on', (t) =>
  refusesTheThird(t, createInTurn({ atOnce: 1, each: 2 }), /let one end or cancel it, narrow/))

test('a user who imports too many files at once is 429 with what to do, and others go on', (t) =>
  refusesTheThird(t, createFilesInTurn({ atOnce: 1, each: 2 }), /send it again when one of them/))

test('a user who tries too many rules at once is 429 with what to do, and others go on', (t) =>
  refusesTheThird(t, createTrialsInTurn({ atOnce: 1, each: 2 }), /let one end or cancel it, then/))

async function refusesTheThird(t: TestContext, inTurn: InTurn, advice: RegExp) {
  const http = createHttp({ envelope: (detail) => ({ detail }), bodyLimit: 1_000 })
  t.after(() => http.close())
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
  assert.match(refused.json().detail, advice)
  assert.equal(refused.headers['retry-after'], '1')
  const all = [...first, ask('bob')]
  for (let ended = 0; ended < 3; ended += 1) {
    while (ends.length === 0) await new Promise(setImmediate)
    ends.shift()?.()
  }
  for (const reply of await Promise.all(all)) assert.equal(reply.statusCode, 200)
}
