import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('npm run demo:incident plays from the first log to the report', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'demo-test-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const script = path.join(import.meta.dirname, 'demo-incident.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: directory })
  for (const told of [
    /Files are being encrypted on fin-ws-07/,
    /pending_approval, nothing was done yet/,
    /The playbook completed/,
    /fin-ws-07 is isolated/,
    /The audit log of all this is whole/,
  ]) {
    assert.match(stdout, told)
  }
  const report = readFileSync(path.join(directory, 'data/incident-report.html'), 'utf8')
  assert.match(report, /Inhibit System Recovery/)
})

const SCRIPT = `
  import { spawn } from 'node:child_process'
  import { once } from 'node:events'
  import { endOnSignal } from '${new URL('./demo/end-on-signal.ts', import.meta.url)}'
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
