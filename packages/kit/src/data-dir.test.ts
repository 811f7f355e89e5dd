import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { claimDataDir } from './data-dir.ts'

const claimInAnotherProcess = (directory: string, then = '') =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { claimDataDir } from ${JSON.stringify(new URL('./data-dir.ts', import.meta.url).href)}
       claimDataDir(${JSON.stringify(directory)}, 'SOC_DATA'); ${then}`,
    ],
    { encoding: 'utf8' },
  )

test('a data directory belongs to one process, which the message names', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'claim-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const claim = claimDataDir(directory, 'SOC_DATA')
  const second = claimInAnotherProcess(directory)
  assert.notEqual(second.status, 0)
  assert.match(second.stderr, new RegExp(`${directory} is in use by process ${process.pid}`))
  claim.release()
  assert.equal(claimInAnotherProcess(directory).status, 0)
})

test('a killed owner leaves no claim behind', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'claim-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const killed = claimInAnotherProcess(directory, 'process.kill(process.pid, "SIGKILL")')
  assert.equal(killed.signal, 'SIGKILL')
  claimDataDir(directory, 'SOC_DATA').release()
})

test('a claim that nobody keeps a reference to holds all the same', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'claim-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  claimDataDir(directory, 'SOC_DATA')
  for (let round = 0; round < 5; round += 1) {
    collect()
    await setImmediate()
  }
  assert.throws(() => claimDataDir(directory, 'SOC_DATA'), /is in use by process/)
})

test('a data directory that cannot be written is one line with the name of the setting', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'claim-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  for (const [directory, why] of [
    [file, 'a part of the path is a file'],
    [path.join(file, 'below'), 'a part of the path is a file'],
    ['/proc/manara', 'it cannot be made'],
  ] as const) {
    const message = `SOC_DATA: ${directory} cannot be written: ${why}`
    assert.throws(() => claimDataDir(directory, 'SOC_DATA'), { name: 'StartError', message })
  }
})

test('a lock that cannot be opened is not told as another process', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'claim-'))
  t.after(() => rmSync(directory, { recursive: true }))
  // As one that another account has made: it cannot be opened as a file to write.
  mkdirSync(path.join(directory, 'lock'))
  const message = `SOC_DATA: ${path.join(directory, 'lock')} cannot be opened: unable to open database file`
  assert.throws(() => claimDataDir(directory, 'SOC_DATA'), { name: 'StartError', message })
})

for (const [kind, damage, why] of [
  ['full', 'dd if=/dev/zero of=filler bs=1k 2>/dev/null', 'the disk is full'],
  ['read-only', 'mount -o remount,ro .', 'the file system is read-only'],
] as const)
  test(`a disk that is ${kind} is refused, or told where the service starts all the same`, (t) => {
    if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
      return t.skip('no file system of our own may be mounted here')
    }
    const directory = mkdtempSync(path.join(tmpdir(), 'claim-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const script = `import { claimDataDir } from ${JSON.stringify(new URL('./data-dir.ts', import.meta.url).href)}
      const claim = (options) => claimDataDir(${JSON.stringify(directory)}, 'DATA', options)
      const { problem, release } = claim({ mayBeFull: true })
      console.log(problem)
      release()
      try { claim() } catch ({ message }) { console.log(message) }`
    const shell = `mount -t tmpfs -o size=64k data . && cd "$PWD"; ${damage}; "$0" --input-type=module -e "$1"; ls -A`
    const words = ['-rm', 'sh', '-c', shell, process.execPath, script]
    const { stdout, stderr } = spawnSync('unshare', words, { cwd: directory, encoding: 'utf8' })
    const [told, refused, ...left] = stdout.trim().split('\n')
    const message = `DATA: ${directory} cannot be written: ${why}`
    assert.deepEqual([told, refused], [message, message], stderr)
    assert.deepEqual(
      left.filter((name) => name.startsWith('.')),
      [],
      'nothing of the try is left',
    )
  })
