import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const SCRIPT = `
  import { spawn } from 'node:child_process'
  import { once } from 'node:events'
  import { endOnSignal } from '${new URL('./end-on-signal.ts', import.meta.url)}'
  const undo = new AsyncDisposableStack()
  endOnSignal(undo)
  const service = spawn('sleep', ['600'])
  undo.defer(async () => {
    service.kill('SIGTERM')
    await once(service, 'exit')
  })
  console.log(service.pid)`

test('a script that is ended by a signal ends the services it started', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const script = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [told] = await once(script.stdout, 'data')
    script.kill(signal)
    const [code] = await once(script, 'exit')
    assert.equal(code, 1)
    assert.throws(() => process.kill(Number(told), 0), { code: 'ESRCH' })
  }
})
