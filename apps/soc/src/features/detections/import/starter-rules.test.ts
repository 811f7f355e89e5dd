import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openChanges } from '../../../testing/changes-of.ts'
import { testDatabase } from '../../../testing/test-postgres.ts'
import { draftFiles } from './draft-files.ts'
import { installStarterRules } from './starter-rules.ts'
import { storeDrafts } from './store-drafts.ts'

test('starter rules are installed once, follow their files, and stay as people have made or deleted them', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-rules-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(path.join(directory, 'web'))
  const write = (name: string, query = name) =>
    writeFileSync(
      path.join(directory, 'web', `${name}.yml`),
      `id: manara-web-${name}\nname: ${name}\nquery: ${query}\ntags: [starter]\n`,
    )
  const { database, internalWorkflow } = await openChanges(t, await testDatabase())
  const db = database.kysely
  const install = () => installStarterRules({ db, directory, now: Date.now, internalWorkflow })
  const queries = async () => {
    const rows = await db.selectFrom('detection_rules').select(['sigma_id', 'query']).execute()
    return Object.fromEntries(rows.map(({ sigma_id, query }) => [sigma_id, query]))
  }

  write('one')
  write('two')
  assert.deepEqual((await Promise.all([install(), install()])).sort(), [0, 2])
  await db.updateTable('detection_rules').set({ query: 'mine' }).where('name', '=', 'one').execute()
  await db.deleteFrom('detection_rules').where('name', '=', 'two').execute()
  write('three')
  assert.equal(await install(), 1)
  assert.deepEqual(await queries(), { 'manara-web-one': 'mine', 'manara-web-three': 'three' })
  assert.equal(await install(), 0)

  await db.updateTable('detection_rules').set({ version: 2 }).where('name', '=', 'one').execute()
  write('one', 'better')
  write('two', 'better')
  write('three', 'better')
  assert.equal(await install(), 1)
  assert.deepEqual(await queries(), { 'manara-web-one': 'mine', 'manara-web-three': 'better' })
  write('three', 'best')
  assert.deepEqual((await Promise.all([install(), install()])).sort(), [0, 1])
  assert.equal((await queries())['manara-web-three'], 'best')

  // Deleted, and brought back by somebody as they want it.
  await db.deleteFrom('detection_rules').where('name', '=', 'three').execute()
  const now = Date.now()
  const files = [{ name: 'own.yml', content: 'id: manara-web-three\nname: three\nquery: theirs\n' }]
  const { chunks } = await draftFiles({ body: new Uint8Array(), files, enable: true, now })
  await internalWorkflow(({ tx }) => storeDrafts(tx, chunks, { by: 'eve', setEnabled: true }))
  await db.updateTable('detection_starter_rules').set({ version: 1 }).execute()
  write('three', 'best of all')
  assert.equal(await install(), 0)
  assert.equal((await queries())['manara-web-three'], 'theirs')

  // As from before the files were kept.
  await db.updateTable('detection_starter_rules').set({ file: null }).execute()
  assert.equal(await install(), 0)
})
