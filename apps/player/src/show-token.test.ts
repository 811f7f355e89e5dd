import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SHOW = fileURLToPath(new URL('./show-token.ts', import.meta.url))

test('player:token that cannot show it says why in one line', (t) => {
  const data = mkdtempSync(path.join(tmpdir(), 'token-'))
  t.after(() => rmSync(data, { recursive: true }))
  const store = path.join(data, 'player.db')
  const said = (env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SHOW], {
      env: { PATH: process.env.PATH, PLAYER_DATA: data, ...env },
      encoding: 'utf8',
    })
    assert.deepEqual([status, stdout], [1, ''])
    return stderr
  }
  assert.equal(said(), `there is no device token in ${data} yet: start the player first\n`)
  assert.equal(said({ PLAYER_PORT: 'abc' }), 'PLAYER_PORT: must be a port, got "abc"\n')
  // SQLite would delete the log, which the next start still reads.
  writeFileSync(store, '')
  writeFileSync(`${store}-wal`, 'the log')
  assert.equal(said(), `there is no device token in ${data} yet: start the player first\n`)
  assert.ok(existsSync(`${store}-wal`))
  rmSync(`${store}-wal`)
  writeFileSync(store, 'no store of ours, but long enough to be taken for one'.repeat(99))
  assert.equal(said(), `${store} cannot be read: file is not a database\n`)
})
