import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { createSessions } from './sessions.ts'
import { type Claims, createTokens, type Tokens } from './tokens.ts'

/** Sessions of a process whose database is away: what it was told before is all it has. */
function withoutDatabase(given: { tokens?: Tokens; clock?: { now: number } } = {}) {
  const { clock = { now: 10_000 } } = given
  const tellOf = new Map<string, (payload: string) => void>()
  const claims: Claims = {
    isEnrolling: false,
    isFromProvider: false,
    userId: undefined,
    username: 'leila',
    role: 'analyst',
    jti: 'token-1',
    stamp: 'stamp',
    issuedAt: 9_000,
    expiresAt: 20_000,
  }
  const sessions = createSessions({
    tokens: given.tokens ?? {
      issue: async () => '',
      verify: async (token) => (token === 'good' && clock.now < 20_000 ? claims : undefined),
    },
    database: { kysely: undefined as unknown as Kysely<Tables>, isAvailable: () => false },
    notifications: {
      on: (channel, listener) => void tellOf.set(channel, listener),
      start: async () => {},
      onGap: () => {},
      isListening: () => false,
      tell: () => {},
      caughtUp: async () => {},
      close: async () => {},
    },
    now: () => clock.now,
  })
  const isIn = async (token = 'good') => (await sessions.ofToken(token)) !== undefined
  return { clock, sessions, isIn, changed: (name: string) => tellOf.get('soc_identity')?.(name) }
}

test('without a database a signed token is believed until it expires', async () => {
  const { clock, isIn } = withoutDatabase()
  assert.deepEqual([await isIn(), await isIn('forged')], [true, false])
  clock.now = 20_000
  assert.equal(await isIn(), false)
})

test('without a database a user whose credentials changed before is not believed, nor signed out', async () => {
  const { changed, isIn } = withoutDatabase()
  changed('somebody else')
  assert.equal(await isIn(), true)
  changed('leila')
  await assert.rejects(isIn(), /database is unavailable: your session cannot be checked/)
})

test('without a database a session that was ended here stays ended', async () => {
  const { sessions, isIn } = withoutDatabase()
  const session = (await sessions.ofToken('good')) ?? assert.fail()
  sessions.forget(session)
  assert.equal(await isIn(), false)
})

test('without a database API keys cannot be checked', async () => {
  const { sessions } = withoutDatabase()
  await assert.rejects(sessions.ofApiKey('soc_key'), /API keys cannot be checked/)
})

test('without a database a token of the second of a sign-out is told from those before it', async () => {
  const clock = { now: 10_100 }
  const tokens = createTokens(new Uint8Array(32), () => clock.now)
  const leila = { username: 'leila', role: 'analyst' as const, session_stamp: 'stamp' }
  const before = await tokens.issue(leila)
  const { sessions, changed } = withoutDatabase({ tokens, clock })
  clock.now = 10_500
  changed('leila')
  clock.now = 10_600
  const after = await tokens.issue(leila)
  await assert.rejects(sessions.ofToken(before), /cannot be checked/)
  assert.equal((await sessions.ofToken(after))?.principal.username, 'leila')
})
