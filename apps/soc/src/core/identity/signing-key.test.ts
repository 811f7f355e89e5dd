import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../db/database.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { createSigningKey } from './signing-key.ts'
import { createTokens } from './tokens.ts'

const leila = { username: 'leila', role: 'analyst', session_stamp: 'stamp' } as const

function directory(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'soc-key-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('the key outlives a restart, in a file only its owner can read', (t) => {
  const file = path.join(directory(t), 'token.key')
  const key = createSigningKey(file).current()
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(createSigningKey(file).current(), key)
})

test('processes on one database sign with its key and keep a copy', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const [one, two] = [path.join(directory(t), 'one'), path.join(directory(t), 'two')]
  const [first, second] = [createSigningKey(one), createSigningKey(two)]
  assert.notDeepEqual(first.current(), second.current())
  await first.agree(database.kysely)
  await second.agree(database.kysely)
  assert.deepEqual(second.current(), first.current())
  assert.equal(readFileSync(two, 'utf8'), readFileSync(one, 'utf8'))
})

test('a token is good for 60 minutes', async (t) => {
  const key = createSigningKey(path.join(directory(t), 'token.key'))
  let now = Date.parse('2026-03-02T08:00:00Z')
  const tokens = createTokens(key, () => now)
  const token = await tokens.issue(leila)
  now += 3_599_000
  assert.equal((await tokens.verify(token))?.username, 'leila')
  now += 1_000
  assert.equal(await tokens.verify(token), undefined)
})
