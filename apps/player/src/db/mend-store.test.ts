import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { DAMAGED_STORE, isDamaged, openOrMendStore } from './mend-store.ts'
import { openStore } from './open-store.ts'
import { storeProblem } from './store-problem.ts'

const PAGE = 4_096
const SCHEDULES = 400

/** A store that was used, and what the disk makes of it. */
function damagedStore(
  t: TestContext,
  damage: (file: Buffer, rootOf: Map<string, number>) => Buffer,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const db = openStore(folder)
  db.exec(
    "INSERT INTO device VALUES ('token', 'kept'); INSERT INTO learners VALUES (1, 'A', 0, '')",
  )
  db.exec("INSERT INTO learner_plans VALUES (1, '{}')")
  const add = db.prepare(
    'INSERT INTO schedules (hour, minute, days, target, enabled) VALUES (5, 0, 127, ?, 1)',
  )
  db.exec('BEGIN')
  for (let i = 0; i < SCHEDULES; i++) add.run('x'.repeat(200))
  db.exec('COMMIT')
  const tables = db.prepare('SELECT name, rootpage FROM sqlite_master').all()
  db.close()
  const file = path.join(folder, 'player.db')
  const roots = new Map(tables.map(({ name, rootpage }) => [String(name), Number(rootpage)]))
  writeFileSync(file, damage(readFileSync(file), roots))
  return folder
}

const fillPage = (file: Buffer, page: number) => file.fill(0xa5, (page - 1) * PAGE, page * PAGE)

test('of a damaged store all that can be read is kept, and its owner is told', (t) => {
  const folder = damagedStore(t, (file, roots) => {
    fillPage(file, roots.get('learners') ?? 0)
    // A page in the middle of the many rows.
    return fillPage(file, Math.floor(file.length / PAGE) - 10)
  })
  const { db, problem } = openOrMendStore(folder)
  t.after(() => db.close())
  assert.match(
    problem ?? '',
    /^the disk had damaged what the box remembers; what could still be read was kept/,
  )
  assert.equal(storeProblem(db), undefined)
  assert.equal(db.prepare('SELECT value FROM device').get()?.value, 'kept')
  const { count } = db.prepare('SELECT count(*) AS count FROM schedules').get() as { count: number }
  assert.ok(count > SCHEDULES - 60 && count < SCHEDULES, `${count} schedules`)
  assert.equal(db.prepare('SELECT count(*) AS count FROM learner_plans').get()?.count, 0)
  assert.equal(statSync(path.join(folder, 'player.db')).mode & 0o777, 0o600)
  assert.equal(statSync(path.join(folder, DAMAGED_STORE)).mode & 0o777, 0o600)
})

for (const [place, copy] of [
  ['its table', 'device'],
  ['the index, which is what it is found by', 'sqlite_autoindex_device_1'],
] as const) {
  test(`one bit of the name of the token costs nobody the token: in ${place}`, (t) => {
    const folder = damagedStore(t, (file, roots) => {
      const page = ((roots.get(copy) ?? 0) - 1) * PAGE
      file.write('poken', file.indexOf('token', page))
      return file
    })
    const { db, problem } = openOrMendStore(folder)
    t.after(() => db.close())
    assert.match(problem ?? '', /^the disk had damaged what the box remembers/)
    const token = db.prepare("SELECT value FROM device WHERE key = 'token'").get()
    assert.equal(token?.value, 'kept')
  })
}

test('a store that is nothing any more gives way to a new one', (t) => {
  const folder = damagedStore(t, (file) => file.fill(0xa5))
  const { db, problem } = openOrMendStore(folder)
  assert.match(problem ?? '', /^the disk had lost what the box remembers; nothing/)
  assert.equal(db.prepare('SELECT count(*) AS count FROM device').get()?.count, 0)
  db.close()
  const again = openOrMendStore(folder)
  assert.equal(again.problem, undefined)
  again.db.close()
  assert.deepEqual(readdirSync(folder).sort(), ['player.db', DAMAGED_STORE])
})

test('one that is whole is left as it is, and one of a newer version is not taken for damaged', (t) => {
  const folder = damagedStore(t, (file) => file)
  const { db, problem } = openOrMendStore(folder)
  assert.equal(problem, undefined)
  db.exec('PRAGMA user_version = 999; PRAGMA application_id = 0')
  db.close()
  assert.throws(() => openOrMendStore(folder), /newer version/)
})

function emptyFolder(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a box that is new is told nothing, and its store is never empty under its name', (t) => {
  const folder = emptyFolder(t)
  const { db, problem } = openOrMendStore(folder)
  assert.equal(problem, undefined)
  db.close()
  assert.deepEqual(readdirSync(folder), ['player.db'])
  assert.equal(statSync(path.join(folder, 'player.db')).mode & 0o777, 0o600)
})

test('a store that has become empty is no new box: its owner is told, and what was kept before stays', (t) => {
  const folder = damagedStore(t, () => Buffer.alloc(0))
  assert.equal(isDamaged(folder), true)
  const { db, problem } = openOrMendStore(folder)
  assert.match(problem ?? '', /^the disk had lost what the box remembers/)
  assert.equal(storeProblem(db), undefined)
  db.close()
  assert.equal(statSync(path.join(folder, DAMAGED_STORE)).size, 0)
  writeFileSync(path.join(folder, DAMAGED_STORE), 'of more use')
  writeFileSync(path.join(folder, 'player.db'), '')
  openOrMendStore(folder).db.close()
  assert.equal(readFileSync(path.join(folder, DAMAGED_STORE), 'utf8'), 'of more use')
})

/** What a cut leaves of a box that was used: the log alone, and an empty store or none. */
function logAlone(t: TestContext, { isPartial, isThere = true }: LogAlone) {
  const [used, folder] = [emptyFolder(t), emptyFolder(t)]
  const db = openStore(used)
  t.after(() => db.close())
  db.exec("INSERT INTO device VALUES ('token', 'kept')")
  if (isPartial) {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.exec("INSERT INTO device VALUES ('later', 'in the log')")
  }
  const log = path.join(folder, 'player.db-wal')
  copyFileSync(path.join(used, 'player.db-wal'), log)
  if (isThere) writeFileSync(path.join(folder, 'player.db'), '')
  return { folder, log: readFileSync(log) }
}
type LogAlone = { isPartial: boolean; isThere?: boolean }

for (const isThere of [true, false]) {
  test(`a log beside ${isThere ? 'an empty store' : 'none'} brings back what it holds`, (t) => {
    const { folder } = logAlone(t, { isPartial: false, isThere })
    assert.equal(isDamaged(folder), true)
    const { db, problem } = openOrMendStore(folder)
    t.after(() => db.close())
    assert.equal(problem, undefined, 'nothing is lost')
    assert.equal(db.prepare('SELECT value FROM device').get()?.value, 'kept')
  })
}

test('a log that is of no use without its store is kept beside the damaged one', (t) => {
  const { folder, log } = logAlone(t, { isPartial: true })
  const { db, problem } = openOrMendStore(folder)
  assert.match(problem ?? '', /^the disk had lost what the box remembers; nothing/)
  db.close()
  const kept = path.join(folder, `${DAMAGED_STORE}-wal`)
  assert.deepEqual(readFileSync(kept), log)
  assert.equal(statSync(kept).mode & 0o777, 0o600)
  writeFileSync(path.join(folder, 'player.db'), 'nothing that SQLite knows')
  openOrMendStore(folder).db.close()
  assert.ok(!existsSync(kept), 'it would be taken for the log of the next one')
})
