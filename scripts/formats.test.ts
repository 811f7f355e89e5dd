import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('npm run formats says what a file would become and which rules could see it', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'formats-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'mixed.log')
  const lines = [
    'Mar  3 10:00:00 web1 sshd[1]: Failed password for root from 192.0.2.7 port 4022 ssh2',
    '192.0.2.7 - - [03/Mar/2026:10:00:00 +0000] "GET /a HTTP/1.1" 404 12 "-" "curl/8.0"',
    'just words',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  writeFileSync(
    path.join(directory, 'rule.yml'),
    'title: Root guessed\nlogsource: {product: linux, service: sshd}\ndetection: {words: [Failed password for root], condition: words}\n',
  )
  const script = path.join(import.meta.dirname, 'formats.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, directory])
  for (const said of [
    /^3 events/,
    / 33\.3 % {2}linux\.auth/,
    / 33\.3 % {2}web\.access/,
    / 33\.3 % {2}nothing/,
    / 66\.7 % {2}src_ip/,
    /1 hits {2}Root guessed/,
  ]) {
    assert.match(stdout, said)
  }
  await assert.rejects(promisify(execFile)(process.execPath, [script, 'absent.log']), { code: 2 })
})
