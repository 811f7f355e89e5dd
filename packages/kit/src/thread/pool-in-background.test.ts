import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { constants, getPriority } from 'node:os'
import { test } from 'node:test'

const MODULE = new URL('./pool-in-background.ts', import.meta.url)
const SCRIPT = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { readFile } from 'node:fs/promises'
  import { getPriority } from 'node:os'
  import { poolInBackground } from '${MODULE}'
  await readFile('/proc/self/stat')
  poolInBackground()
  const pool = readdirSync('/proc/self/task').filter((id) =>
    readFileSync('/proc/self/task/' + id + '/comm', 'utf8').startsWith('libuv'))
  process.stdout.write(JSON.stringify({ own: getPriority(), pool: pool.map((id) => getPriority(+id)) }))`

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority

for (const more of [0, PRIORITY_LOW]) {
  test(`the pool works in the background of a process at nice ${more}, which stays as it is`, () => {
    const node = [process.execPath, '--input-type=module', '-e', SCRIPT]
    const ran = spawnSync('nice', ['-n', `${more}`, ...node], {
      encoding: 'utf8',
      env: { ...process.env, UV_THREADPOOL_SIZE: '2' },
    })
    const own = Math.min(PRIORITY_LOW, getPriority() + more)
    const below = Math.max(PRIORITY_BELOW_NORMAL, own)
    assert.deepEqual(JSON.parse(ran.stdout), { own, pool: [below, below] }, ran.stderr)
  })
}
