import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStore } from './db/open-store.ts'
import { openData } from './start-data.ts'

const FULL = /is damaged, and the disk is too full to mend it; the box goes on/
const TOKEN = 'ab'.repeat(32)

function damagedData(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'start-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const store = openStore(folder)
  store.exec(`INSERT INTO device VALUES ('token', '${TOKEN}')`)
  // More than there is room for beside what every start takes.
  store.prepare("INSERT INTO device VALUES ('large', ?)").run('x'.repeat(1024 * 1024))
  store.close()
  const file = path.join(folder, 'player.db')
  const bytes = readFileSync(file)
  bytes.write('poken', bytes.lastIndexOf('token'))
  writeFileSync(file, bytes)
  return { folder, file, bytes }
}

test('a damaged store on a disk that is too full to mend it is mended in memory, and the box starts', (t) => {
  const { folder, file, bytes } = damagedData(t)
  const { dataDir, problem, db, lost, release } = openData(folder, () => 10_000)
  assert.notEqual(dataDir, folder)
  assert.match(problem ?? '', FULL)
  assert.equal(db.prepare("SELECT value FROM device WHERE key = 'token'").get()?.value, TOKEN)
  assert.equal(lost.length, 1)
  assert.match(lost[0] ?? '', /kept, in memory alone: start .* and then .* bring a backup back/)
  assert.ok(!lost[0]?.includes('player.db.damaged'), 'that is gone with the copy')
  release()
  assert.deepEqual(readFileSync(file), bytes, 'left for when there is room')

  const mended = openData(folder)
  assert.deepEqual([mended.dataDir, mended.problem], [folder, undefined])
  assert.match(mended.lost[0] ?? '', /kept: look .*The damaged file is player\.db\.damaged$/)
  mended.release()
  assert.ok(readdirSync(folder).includes('player.db.damaged'))
})

test('so is one on a disk that takes less than it says, as one with a quota does', (t) => {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
    return t.skip('no file system of our own may be mounted here')
  }
  const { folder, bytes } = damagedData(t)
  const mount =
    'mount -t tmpfs -o size=2m data "$1" && cat > "$1/player.db"; exec "$0" -e "$2" "$1"'
  const open = `const { openData } = await import(${JSON.stringify(new URL('start-data.ts', import.meta.url))})
    const { readFileSync, readdirSync } = await import('node:fs')
    const [, folder] = process.argv
    const { dataDir, problem, db, release } = openData(folder, () => Infinity)
    const token = db.prepare("SELECT value FROM device WHERE key = 'token'").get()?.value
    const left = readFileSync(folder + '/player.db').toString('base64')
    release()
    console.log(JSON.stringify({ dataDir, problem, token, left, files: readdirSync(folder) }))`
  const words = ['-rm', 'sh', '-c', mount, process.execPath, folder, open]
  const { stdout, stderr } = spawnSync('unshare', words, {
    ...{ input: bytes, encoding: 'utf8', maxBuffer: 1e8 },
  })
  assert.ok(stdout, stderr)
  const { dataDir, problem, token, left, files } = JSON.parse(stdout)
  assert.notEqual(dataDir, folder)
  assert.match(problem, FULL)
  assert.equal(token, TOKEN)
  assert.deepEqual(Buffer.from(left, 'base64'), bytes)
  const beside = files.filter((name: string) => /new|damaged/.test(name))
  assert.deepEqual(beside, [], 'what did not fit takes no room')
})

test('mending leaves the room that the rest of the start takes, or is done in memory', (t) => {
  const { folder, bytes } = damagedData(t)
  const both = 2 * bytes.length
  const { dataDir, release } = openData(folder, () => both + 300 * 1024)
  assert.notEqual(dataDir, folder)
  release()
  const roomy = openData(folder, () => both + 1024 * 1024)
  assert.equal(roomy.dataDir, folder)
  roomy.release()
})

const LOSSES: [what: string, lose: (file: string) => void][] = [
  ['has become empty', (file) => writeFileSync(file, '')],
  ['is gone from beside what the box has made since', (file) => rmSync(file)],
]
for (const [what, lose] of LOSSES)
  test(`a store that ${what} is told once`, (t) => {
    const { folder, file } = damagedData(t)
    writeFileSync(path.join(folder, 'ca.key'), 'made at the first start')
    lose(file)
    const { db, lost, release } = openData(folder)
    assert.equal(
      lost.join(),
      'the disk had lost what the box remembers; nothing of it could be read any more: look through the settings, the schedules and the cards, or bring a backup back. The damaged file is player.db.damaged',
    )
    assert.equal(db.prepare('SELECT count(*) AS count FROM device').get()?.count, 0)
    release()
    const again = openData(folder)
    assert.deepEqual(again.lost, [])
    again.release()
  })

test('a folder with nothing but what was laid in for a box is a first start', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'start-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['soc', 'updates', 'sounds']) mkdirSync(path.join(folder, name))
  const { lost, release } = openData(folder)
  assert.deepEqual(lost, [])
  release()
})
