import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

/** A service whose stop never ends. */
const HANGING = `
  import { runService } from '@manara/kit/service'
  setInterval(() => {}, 1_000)
  await runService('test', async () => ({ banner: ['ready'], stop: () => new Promise(() => {}) }))`

/** Two listen on one port. */
const TWICE = `
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { runService } from '@manara/kit/service'
  const first = createServer().listen(0, '127.0.0.1')
  await once(first, 'listening')
  await runService('test', () => once(createServer().listen(first.address()), 'listening'))`

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

test('a port that is taken is one line, which says what to do', async () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', TWICE], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^test: listen EADDRINUSE: .*:\d+: another program .*: end it, or set a free/,
  )
})
