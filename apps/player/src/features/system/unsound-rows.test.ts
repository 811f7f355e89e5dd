import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MIGRATIONS } from '../../db/migrations.ts'
import { type Db, storeInMemory } from '../../db/open-store.ts'
import { setAsideUnsound } from './unsound-rows.ts'

const surah = JSON.stringify({ type: 'surah', reciter: 'Husary', surah: 1 })
const plan = JSON.stringify({
  ...{ order: 'backward', start: { surah: 114, verse: 1 }, unit: 'verse', amount: 3, days: 127 },
  ...{ recent_days: 7, cycle_days: 30, reciter: 'Husary', drill: {} },
})
const file = { kind: 'file', path: 'Husary/002.mp3', reciter: 'Husary', surah_number: 2 }
const prayer = {
  ...{ lat: 21.4, lng: 39.8, method: 3, convention: null, offsets_min: [0, 0, 0, 0, 0, 0] },
  adhan: { enabled: true, volume: 60, prayers: { isha: { path: null, volume: 30 } } },
  iqama: { minutes: [20, 0, 10, 10, 5, 10] },
}
const MODES = [
  { mode: 'hifz_repeat', repeat: 3, pause_s: 1 },
  { mode: 'hifz_ab', repeat: 3, pause_s: 1, ab: { from: 1, to: 3 } },
  {
    ...{ mode: 'hifz_verses', method: 'each', repeat: 5, link: 3, passes: 1, gap_percent: 100 },
    ...{ pause_s: 3, unsure: false, verses: { from: 1, to: 5 }, own: { mode: 'continuous' } },
  },
  { mode: 'loop', loop: { from: 0.5, to: 4000 } },
  { mode: 'later' },
]

/** What a box keeps, with words of a later version among it. */
function livedIn(t: TestContext): Db {
  const db = storeInMemory(MIGRATIONS.length)
  t.after(() => db.close())
  db.exec(`INSERT INTO settings VALUES ('volume', '33'), ('timezone', '"CET-1CEST,M3.5.0,M10.5.0/3"'),
    ('fade_up_s', '2.5'), ('language', '"later"'), ('later', '{}'), ('advance', '{"mode":"off"}');
    INSERT INTO device VALUES ('token', '${'ab'.repeat(32)}'), ('chip_set_to', '1772352000'),
      ('vouched_time', '{"source":"sntp","boot_id":"x","since_boot_ms":1.5,"offset_ms":0}');
    INSERT INTO schedules (hour, minute, days, target, enabled) VALUES (5, 0, 127, '${surah}', 1);
    INSERT INTO schedules (hour, minute, days, target, volume, enabled) VALUES (6, 0, 0, '${surah}', 20, 1);
    INSERT INTO nfc_cards VALUES ('04A1B2C3', 'Fatiha', '${surah}', 'toggle', 1, NULL);
    INSERT INTO favorites (type, reciter, surah, created_at) VALUES ('surah', 'Husary', 1, 1);
    INSERT INTO queue (place, track) VALUES (1, '${JSON.stringify(file)}'),
      (2, '{"kind":"stream","url":"http://radio.example/","station":""}');
    INSERT INTO resume VALUES (1, '${JSON.stringify({ track: file, repeat_done: -1, playing: true })}', 7, 1);
    INSERT INTO learners VALUES (1, 'Amina', 1, '');
    INSERT INTO learner_plans VALUES (1, '${plan}');
    INSERT INTO soc_events (id, body) VALUES ('a', '{"event":"x"}')`)
  db.prepare('INSERT INTO prayer VALUES (1, ?)').run(JSON.stringify(prayer))
  return db
}

const noCopy = () => assert.fail('nothing is to be taken out')
const countOf = (db: Db, table: string) => db.prepare(`SELECT * FROM ${table}`).all().length

test('of what a box keeps nothing is taken out, in any mode, of an older or a later version', (t) => {
  const db = livedIn(t)
  for (const mode of MODES) {
    db.prepare("UPDATE settings SET value = ? WHERE key = 'advance'").run(JSON.stringify(mode))
    assert.equal(setAsideUnsound(db, noCopy), undefined, JSON.stringify(mode))
  }
  db.exec(`UPDATE prayer SET config = '{"lat":1,"adhan":{"enabled":true}}'`)
  assert.equal(setAsideUnsound(db, noCopy), undefined)
})

test('what a worn disk has made of a text is taken out and told, and the rest stays', (t) => {
  const damages: [table: string, change: string, told: RegExp, left: number][] = [
    ['settings', `value = '"CET-1CES' || char(1) WHERE key = 'timezone'`, /\(settings\)/, 5],
    ['settings', `value = '"CQT!1"' WHERE key = 'timezone'`, /\(settings\)/, 5],
    ['settings', `value = '"loud"' WHERE key = 'volume'`, /\(settings\)/, 5],
    ['settings', `value = 'null' WHERE key = 'advance'`, /\(settings\)/, 5],
    ['settings', `value = '{"mode":"hifz_ab"}' WHERE key = 'advance'`, /\(settings\)/, 5],
    ['device', `value = 'ab' || char(7) WHERE key = 'token'`, /\(the token or the clock\)/, 2],
    ['device', `value = '{' WHERE key = 'vouched_time'`, /\(the token or the clock\)/, 2],
    ['prayer', `config = '5'`, /\(prayer times\)/, 0],
    ['schedules', 'hour = 99 WHERE id = 1', /\(schedules\)/, 1],
    ['schedules', `target = '{"type"' WHERE id = 1`, /\(schedules\)/, 1],
    ['nfc_cards', `binding = 'null'`, /\(cards\)/, 0],
    ['queue', `track = '{"kind":"file"}' WHERE place = 1`, /\(the queue\)/, 1],
    ['resume', `source = '{"playing":true}'`, /\(the kept place\)/, 0],
    ['learner_plans', `plan = '{'`, /\(plans of learners\)/, 0],
    ['soc_events', `body = ''`, /\(events for the platform\)/, 0],
  ]
  for (const [table, change, told, left] of damages) {
    const db = livedIn(t)
    db.exec(`UPDATE ${table} SET ${change}`)
    let copies = 0
    const problem = setAsideUnsound(db, () => copies++)
    assert.match(problem ?? '', told, change)
    assert.match(problem ?? '', /^some of what the box remembers cannot be understood/)
    assert.deepEqual([countOf(db, table), copies], [left, 1], change)
    assert.equal(setAsideUnsound(db, noCopy), undefined, 'the next start has nothing to tell')
  }
})

test('what this version cannot use is told and stays for the one that can', (t) => {
  const db = livedIn(t)
  db.exec(`UPDATE nfc_cards SET binding = '{"type":"later"}';
    UPDATE learner_plans SET plan = json_set(plan, '$.order', 'later');
    UPDATE favorites SET type = 'later';
    UPDATE prayer SET config = json_set(config, '$.convention', 'later')`)
  const problem = setAsideUnsound(db, noCopy)
  assert.match(problem ?? '', /\(prayer times, cards, favorites, plans of learners\)/)
  for (const table of ['nfc_cards', 'learner_plans', 'favorites', 'prayer'])
    assert.equal(countOf(db, table), 1, table)
})

test('of the settings of prayers only what does not fit is as usual again', (t) => {
  const db = livedIn(t)
  db.exec(`UPDATE prayer SET config = json_set(config, '$.adhan.volume', -7,
    '$.adhan.prayers.fajr', 5, '$.iqama.minutes[2]', 'x')`)
  assert.match(setAsideUnsound(db, () => {}) ?? '', /\(prayer times\)/)
  const { adhan, iqama, ...rest } = prayer
  assert.deepEqual(JSON.parse(String(db.prepare('SELECT config FROM prayer').get()?.config)), {
    ...rest,
    adhan: { enabled: adhan.enabled, prayers: adhan.prayers },
    iqama: {},
  })
})
