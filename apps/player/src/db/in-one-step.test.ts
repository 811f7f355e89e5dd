import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createStationStore } from '../features/radio/stations.store.ts'
import { createCardStore } from '../features/rfid/cards.store.ts'
import { createScheduleStore } from '../features/schedules/schedules.store.ts'
import { inOneStep } from './in-one-step.ts'
import { openStore } from './open-store.ts'

const now = () => Date.parse('2026-03-01T12:00:00Z')
const target = { type: 'surah', reciter: 'Husary', surah: 1 } as const
const card = { uid: '04A1B2C3', name: 'first', binding: target }

/** A store that takes every change of these tables, and refuses it when it is committed: as a full disk does. */
function refusing(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'store-'))
  const db = openStore(dataDir)
  t.after(() => {
    db.close()
    rmSync(dataDir, { recursive: true })
  })
  const cards = createCardStore(db, now)
  cards.register(card)
  db.exec(`CREATE TABLE room (id INTEGER PRIMARY KEY);
    CREATE TABLE used (id REFERENCES room (id) DEFERRABLE INITIALLY DEFERRED)`)
  for (const table of ['stations', 'nfc_cards', 'schedules'])
    for (const change of ['INSERT', 'UPDATE'])
      db.exec(`CREATE TRIGGER ${change}_${table} AFTER ${change} ON ${table}
        BEGIN INSERT INTO used VALUES (1); END`)
  const stations = createStationStore(db, now)
  const schedules = createScheduleStore(db, { warn: () => {} })
  return { db, cards, schedules, stations }
}

test('what the disk refuses at the very end is not told to be kept', (t) => {
  const { cards, db, schedules, stations } = refusing(t)
  const station = { name: 'Radio', url: 'http://radio.example/' }
  const refused: [what: string, change: () => unknown][] = [
    ['a station', () => stations.add(station)],
    ['several stations', () => stations.addAll([station])],
    ['a card', () => cards.register({ ...card, uid: '04D4E5F6' })],
    ['the new name of a card', () => cards.edit(card.uid, { name: 'second' })],
    ['a schedule', () => schedules.add({ hour: 5, minute: 0, days: 127, target }, now())],
  ]
  for (const [what, change] of refused) {
    assert.throws(change, /FOREIGN KEY/, what)
    assert.equal(db.isTransaction, false, what)
  }
  assert.deepEqual([stations.all(), schedules.all()], [[], []])
  assert.deepEqual(
    cards.all().map(({ name }) => name),
    ['first'],
  )
})

test('a step that the disk has ended already is told with the reason of the disk', (t) => {
  const { db } = refusing(t)
  const change = () => db.exec("ROLLBACK; SELECT json('no room')")
  assert.throws(() => inOneStep(db, change), /malformed JSON/)
})
