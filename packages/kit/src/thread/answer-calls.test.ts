import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { constants, getPriority } from 'node:os'
import { test } from 'node:test'

const MODULE = new URL('./answer-calls.ts', import.meta.url)
const SCRIPT = `
  import { getPriority } from 'node:os'
  import { workInBackground } from '${MODULE}'
  workInBackground()
  process.stdout.write(String(getPriority()))`

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority

for (const more of [0, PRIORITY_LOW]) {
  test(`a thread works in the background, of a process at nice ${more} too`, () => {
    const node = [process.execPath, '--input-type=module', '-e', SCRIPT]
    const ran = spawnSync('nice', ['-n', `${more}`, ...node], { encoding: 'utf8' })
    const given = Math.min(PRIORITY_LOW, getPriority() + more)
    assert.equal(ran.stdout, `${Math.max(PRIORITY_BELOW_NORMAL, given)}`, ran.stderr)
  })
}
