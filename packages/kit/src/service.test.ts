import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

/** A service whose stop never ends. */
const HANGING = `
  import { runService } from '@manara/kit/service'
  setInterval(() => {}, 1_000)
  await runService('test', async () => ({ banner: ['ready'], stop: () => new Promise(() => {}) }))`

test('a second signal ends the process at once, without the exit that its threads would have', async (t) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HANGING], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  // Signals that come together are one, so it is asked until it ends.
  const asking = setInterval(() => child.kill('SIGTERM'), 50)
  t.after(() => clearInterval(asking))
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
})
