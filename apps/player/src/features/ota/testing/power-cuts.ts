import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { bootOnce } from '../boot-once.ts'
import { confirmed } from '../domain/boot-plan.ts'
import { ENTRY, openSlots, type Slots } from '../slots.ts'
import { pemOf, sampleImage, updateKey } from './sample-image.ts'

export type Cut = {
  /** Which change of the disk of how many. */
  at: number
  of: number
  during: string
  change: string
  fate: 'good' | 'bad'
  /** What the first start after the cut was. */
  booted: string
  /** What the box ran when the update was over. */
  ended: string
  problems: string[]
}

type Booted = { version: string; intact: boolean; integrity: string; state: string[] }

const CHILD = fileURLToPath(new URL('./cut-update.ts', import.meta.url))
const FILES = 6

/** Updates one and the same box again and again, each time killed at a random change of its disk. */
export function cutPower(count: number, seed: number): Cut[] {
  const root = mkdtempSync(path.join(tmpdir(), 'power-cuts-'))
  try {
    const box = setUp(root)
    const random = seeded(seed)
    const cuts: Cut[] = []
    // The first update of each kind is left alone: it says how many changes there are to choose from.
    const changes = { good: box.update('good', 0).changes, bad: box.update('bad', 0).changes }
    while (cuts.length < count) {
      const fate = random() < 0.6 ? 'good' : 'bad'
      const at = 1 + Math.floor(random() * changes[fate])
      cuts.push(box.cut(fate, at, changes[fate]))
    }
    return cuts
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function setUp(root: string) {
  const { privateKey, publicKey } = updateKey()
  const updates = path.join(root, 'updates')
  const factory = path.join(root, 'factory')
  const [storeFile, image, keysFile] = ['player.db', 'image', 'keys.pem'].map((name) =>
    path.join(root, name),
  ) as [string, string, string]
  mkdirSync(updates)
  writeFileSync(keysFile, pemOf(publicKey))
  const slots = openSlots(updates, factory)
  putVersion(factory, '0.0.0')
  const store = new DatabaseSync(storeFile)
  store.exec('PRAGMA journal_mode = WAL; CREATE TABLE state (value TEXT)')
  store.close()
  let running = '0.0.0'
  let last = 0

  /** Runs the update in a process of its own; a cut at 0 never comes. */
  function update(fate: Cut['fate'], at: number) {
    last += 1
    forgetState(storeFile)
    const version = `0.0.${last}`
    const files = versionFiles(version)
    writeFileSync(image, sampleImage({ key: privateKey, version, files }))
    const args = [CHILD, updates, storeFile, image, keysFile, running, fate, String(at)]
    const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const told = stdout.trim() ? JSON.parse(stdout) : { during: stderr, change: '' }
    if (fate === 'good' && at === 0) running = version
    return { version, signal, ...told }
  }

  return {
    update,
    cut(fate: Cut['fate'], at: number, of: number): Cut {
      const before = running
      const { version, signal, during, change } = update(fate, at)
      const problems: string[] = []
      if (signal !== 'SIGKILL') problems.push(`was not killed: ${during}`)
      const first = boot(slots, storeFile)
      problems.push(...whatIsWrong(first, before))
      if (slots.readRecord().pending && fate === 'good') {
        slots.writeRecord(confirmed(slots.readRecord()))
      }
      let end = boot(slots, storeFile)
      // One that is made to fail is started until it is given up.
      while (slots.readRecord().pending) end = boot(slots, storeFile)
      problems.push(...whatIsWrong(end, before))
      running = end.version
      if (running !== before && running !== version) problems.push(`runs ${running}`)
      if (fate === 'bad' && running === version) problems.push('kept a broken version')
      return { at, of, during, change, fate, booted: first.version, ended: running, problems }
    },
  }
}

/** Starts what the launcher would. */
function boot(slots: Slots, storeFile: string): Booted {
  const slot = bootOnce(slots, storeFile)
  const entry = path.join(slots.dir(slot), ENTRY)
  const { stdout, stderr } = spawnSync(process.execPath, [entry, storeFile], { encoding: 'utf8' })
  if (stdout) return JSON.parse(stdout)
  return { version: `none: ${stderr}`, intact: false, integrity: 'unknown', state: [] }
}

function whatIsWrong({ version, intact, integrity, state }: Booted, before: string): string[] {
  const problems: string[] = []
  if (!intact) problems.push(`${version} is not whole`)
  if (integrity !== 'ok') problems.push(`store: ${integrity}`)
  const isForeign = (mark: string) => mark !== before
  if (version === before && state.some(isForeign)) problems.push('old version, new state')
  return problems
}

function forgetState(storeFile: string) {
  const store = new DatabaseSync(storeFile)
  store.exec('DELETE FROM state')
  store.close()
}

/**
 * A version that tells what it is, whether all of it is there and what it finds in the store, leaves
 * its mark there and dies, with the store's log still open.
 */
function versionFiles(version: string): Record<string, string | Buffer> {
  const parts = Array.from({ length: FILES }, () => randomBytes(20_000))
  const digest = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
  const main = `
    import { createHash } from 'node:crypto'
    import { readFileSync, writeSync } from 'node:fs'
    import { DatabaseSync } from 'node:sqlite'
    const digest = createHash('sha256')
    for (let part = 0; part < ${FILES}; part += 1) {
      digest.update(readFileSync(new URL('./parts/' + part, import.meta.url)))
    }
    const store = new DatabaseSync(process.argv[2])
    const state = store.prepare('SELECT value FROM state').all().map(({ value }) => value)
    store.exec("INSERT INTO state (value) VALUES ('${version}')")
    writeSync(1, JSON.stringify({
      version: '${version}',
      intact: digest.digest('hex') === '${digest}',
      integrity: store.prepare('PRAGMA integrity_check').get().integrity_check,
      state,
    }))
    process.kill(process.pid, 'SIGKILL')`
  const folder = path.posix.dirname(ENTRY)
  return {
    [ENTRY]: main,
    'package.json': '{"type":"module"}',
    ...Object.fromEntries(parts.map((part, index) => [`${folder}/parts/${index}`, part])),
  }
}

function putVersion(folder: string, version: string) {
  for (const [name, content] of Object.entries(versionFiles(version))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
}

/** mulberry32: the same cuts again for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
