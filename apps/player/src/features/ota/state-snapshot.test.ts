import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { keepSnapshot } from './state-snapshot.ts'

test('of an empty store no copy is made: that would take its log away, which the start still reads', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'snapshot-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [store, snapshot] = [path.join(folder, 'player.db'), path.join(folder, 'snapshot.db')]
  writeFileSync(store, '')
  writeFileSync(`${store}-wal`, 'the log')
  keepSnapshot(store, snapshot)
  assert.ok(existsSync(`${store}-wal`))
  assert.ok(!existsSync(snapshot))
})
