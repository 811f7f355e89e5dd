import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SignedHead } from '@manara/soc-contract/proofs'
import { type Kysely, sql } from 'kysely'
import { sealEntries } from '../../core/audit/seal-entries.ts'
import { inclusionPath, rootOfAll } from '../../core/proofs/merkle.ts'
import { openDatabase } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { ownerOf, silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { proveEntry } from './prove-entry.ts'

const ENTRIES = 1_100

async function sealedLog(t: TestContext) {
  const connection = await testDatabase()
  const [database, owner] = await Promise.all([
    openDatabase({ connection, log: silentLog }),
    openDatabase({ connection: ownerOf(connection), log: silentLog }),
  ])
  t.after(() => Promise.all([database.close(), owner.close()]))
  const db = database.kysely
  await sql`
    INSERT INTO audit_log (actor, actor_kind, action, target, outcome)
    SELECT 'kim', 'user', 'case.update', 'case:' || n, 'done'
    FROM generate_series(1, ${ENTRIES}::integer) AS n`.execute(db)
  while (await sealEntries(db));
  const entries = await db
    .selectFrom('audit_log')
    .select(['id', 'entry_hash'])
    .orderBy('seq')
    .execute()
  const hashes = entries.map(({ entry_hash }) => entry_hash as string)
  /** Of the log as it was when so many entries were signed. */
  const prove = (index: number, size = ENTRIES) => {
    const head = { size, root: rootOfAll(hashes.slice(0, size)) } as SignedHead
    return proveEntry(db, { latest: () => head }, entries[index]?.id as string)
  }
  const check = async (index: number, size = ENTRIES) => {
    const expected = inclusionPath(hashes.slice(0, size), index)
    assert.deepEqual((await prove(index, size)).path, expected, `${index} of ${size}`)
  }
  return { db, owner: owner.kysely, prove, check }
}

const keptOf = async (db: Kysely<Tables>) => {
  const rows = await db.selectFrom('audit_subtrees').select(['first', 'size']).execute()
  return rows.map(({ first, size }) => `${first}+${size}`).sort()
}
const KEPT = ['0+256', '256+256', '0+512', '512+256', '768+256', '512+512', '0+1024'].sort()

test('an entry is proved by the same path, whatever is kept of the tree', async (t) => {
  const { db, owner, check } = await sealedLog(t)
  assert.deepEqual(await keptOf(db), KEPT)
  const all = async () => {
    for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 513, 700, 1_023, 1_024, 1_025, ENTRIES]) {
      for (const index of new Set([0, 1, 200, 255, 256, 300, 511, 512, 767, 1_024, size - 1])) {
        if (index < size) await check(index, size)
      }
    }
  }
  await all()
  // A log from before they were kept.
  await sql`DELETE FROM audit_subtrees`.execute(owner)
  await check(1_050)
  assert.deepEqual(await keptOf(db), KEPT, 'the next need not make them again')
  await all()
  await sql`UPDATE audit_subtrees SET hash = repeat('0', 64)`.execute(owner)
  await all()
})

test('a proof reads what is near its entry, however long the log', async (t) => {
  const { owner, prove, check } = await sealedLog(t)
  await sql`ALTER TABLE audit_log DISABLE TRIGGER USER`.execute(owner)
  await sql`UPDATE audit_log SET entry_hash = repeat('a', 64) WHERE seq = 300`.execute(owner)
  await check(900)
  await check(10)
  for (const index of [299, 310]) {
    await assert.rejects(
      prove(index),
      { status: 409 },
      'it, or one beside it, is not what was signed',
    )
  }
})
