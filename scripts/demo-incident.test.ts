import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
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
