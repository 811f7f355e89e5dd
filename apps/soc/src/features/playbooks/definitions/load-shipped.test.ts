import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../../db/database.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { createActions } from '../actions/all-actions.ts'
import { knownActions } from '../actions/known-actions.ts'
import { loadShipped, readShipped } from './load-shipped.ts'

const PLAYBOOKS = path.resolve(import.meta.dirname, '../../../../playbooks')
const actions = createActions({} as never, () => new Date())
const known = knownActions(actions)

test('every shipped playbook is right, and every step that changes something can be taken back', () => {
  const shipped = readShipped(PLAYBOOKS, known)
  assert.ok(shipped.length >= 7)
  // A report is a record of what was, a task's status is its assignee's, a scan changes nothing.
  const LEFT = /^(generate_report|edr_scan|update_task)$/
  for (const { file } of shipped) {
    for (const { action: name, undo, id } of file.steps) {
      const action = actions[name]
      assert.ok(action)
      if (action.effect === 'reads' || LEFT.test(name)) continue
      assert.ok(undo ?? action.undo, `${file.id}: ${id}`)
    }
  }
})

test('a wrong file says which and why', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'playbooks-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = path.join(directory, 'odd.yaml')
  for (const [text, message] of [
    [
      'id: other\nversion: 1\nname: x\nsteps: [{id: s, action: wait, params: {seconds: 1}}]',
      /odd.yaml: id/,
    ],
    ['id: odd\nversion: 1\nname: x\nsteps: [{id: s, action: fly}]', /odd.yaml: steps.0.action/],
    ['{', /odd.yaml: /],
  ] as const) {
    writeFileSync(file, text)
    assert.throws(() => readShipped(directory, known), { message })
  }
})

test('new ones are added, unedited ones upgraded, edits and switches kept', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const db = database.kysely
  const [one, two, three] = readShipped(PLAYBOOKS, known)
  assert.ok(one && two && three)
  const read = async (id: string) =>
    db.selectFrom('playbooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await Promise.all([loadShipped(db, [one, two]), loadShipped(db, [one, two])])
  assert.equal((await read(one.file.id)).version, 1)

  await db.updateTable('playbooks').set({ enabled: false }).where('id', '=', one.file.id).execute()
  await db
    .updateTable('playbooks')
    .set({ name: 'Mine', is_edited: true })
    .where('id', '=', two.file.id)
    .execute()
  const renewed = [one, two].map(({ file }) => ({
    file: { ...file, name: 'New', enabled: true },
    hash: 'new',
  }))
  await loadShipped(db, [...renewed, three])
  await loadShipped(db, [...renewed, three])
  const upgraded = await read(one.file.id)
  assert.deepEqual([upgraded.name, upgraded.version, upgraded.enabled], ['New', 2, false])
  const kept = await read(two.file.id)
  assert.deepEqual([kept.name, kept.version], ['Mine', 1])
  assert.equal((await read(three.file.id)).origin, 'shipped')

  await db
    .updateTable('playbooks')
    .set({ deleted_at: new Date() })
    .where('id', '=', three.file.id)
    .execute()
  await loadShipped(db, [{ ...three, hash: 'newer' }])
  assert.notEqual((await read(three.file.id)).deleted_at, null)
})
