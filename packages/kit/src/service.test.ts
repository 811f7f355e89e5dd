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

/** Forgets failures of its own and one in a thread, which answers once more after it. */
const FORGETFUL = `
  import { setTimeout } from 'node:timers/promises'
  import { createQueue } from '@manara/kit/queue'
  import { runService } from '@manara/kit/service'
  import { startThread } from '@manara/kit/thread/start-thread'
  setInterval(() => {}, 1_000)
  await runService('test', async () => {
    const file = new URL('testing/sample-worker.ts', import.meta.resolve('@manara/kit/service'))
    const thread = startThread(file, { worker: { execArgv: [] } })
    await thread.call('stray', [])
    void Promise.reject(new Error('here'))
    void createQueue().run(() => Promise.reject(new Error('in turn')))
    await setTimeout(0)
    setTimeout(0).then(() => process.kill(process.pid, 'SIGTERM'))
    return { banner: ['sum ' + (await thread.call('add', [1, 2]))], stop: () => thread.end() }
  })`

test('a failure that nobody waits for is told, and the service and its threads go on', () => {
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', FORGETFUL], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  assert.deepEqual([run.status, run.stdout], [0, 'sum 3\n'], run.stderr)
  assert.match(run.stderr, /^test: something failed that nobody waited for: Error: here\n +at /m)
  assert.match(run.stderr, /^test: .*: Error: in turn\n +at /m)
  assert.match(run.stderr, /^test: .*: Error: sample: Error: forgotten\n +at /m)
})

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
