import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { MIGRATIONS, READABLE_FROM } from './migrations.ts'
import { openStore } from './open-store.ts'

/** A store that a version with more migrations has been at work on. */
function newerStore(t: TestContext, changes: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const db = openStore(folder)
  db.exec(`INSERT INTO device VALUES ('token', 'kept'); ${changes}; PRAGMA user_version = 999`)
  db.close()
  return folder
}

test('a store that a newer version has added to is opened, and stays what it is for the newer one', (t) => {
  const folder = newerStore(
    t,
    `CREATE TABLE later (id INTEGER);
     ALTER TABLE stations ADD COLUMN later TEXT NOT NULL DEFAULT ''`,
  )
  const older = openStore(folder)
  older.exec("INSERT INTO stations (name, url, created_at) VALUES ('Makkah', 'http://radio/', 1)")
  assert.equal(older.prepare('SELECT value FROM device').get()?.value, 'kept')
  // As a factory reset does it.
  older.exec('DELETE FROM device; VACUUM')
  older.close()
  const again = openStore(folder)
  assert.equal(again.prepare('PRAGMA user_version').get()?.user_version, 999)
  assert.equal(again.prepare('SELECT later FROM stations').get()?.later, '')
  again.close()
})

test('one that a newer version has changed otherwise is refused, and so is one that does not say', (t) => {
  const refused = /newer version \(999, this one knows \d+\): install the newer version again/
  for (const changes of [
    `PRAGMA application_id = ${MIGRATIONS.length + 1}`,
    'PRAGMA application_id = 0',
  ])
    assert.throws(() => openStore(newerStore(t, changes)), refused)
})

test('what a migration takes away or changes raises the oldest version that can read the store', () => {
  const statements = MIGRATIONS.slice(READABLE_FROM).flatMap((sql) => sql.split(';'))
  for (const sql of statements)
    assert.match(sql.trim(), /^(CREATE (TABLE|INDEX)|ALTER TABLE \w+ ADD COLUMN) /)
})
