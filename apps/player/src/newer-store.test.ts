import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture, TOKEN } from './testing/player-fixture.ts'

const surah = { type: 'surah', reciter: 'Husary', surah: 1 }
const DAILY = { hour: 5, minute: 0, days: 127, target: surah }

/** Words for which this version has no meaning, where a newer one may have kept them. */
const LATER = `
  UPDATE prayer SET config = json_set(config, '$.convention', 'later', '$.high_latitude', 'later');
  INSERT INTO schedules (hour, minute, days, target, enabled) VALUES (6, 0, 127, '{"type":"later"}', 1);
  INSERT INTO nfc_cards (uid, name, binding, second_tap, created_at)
    VALUES ('04LATER', 'later', '{"type":"later"}', 'toggle', 1);
  INSERT INTO settings VALUES ('advance', '{"mode":"later"}'), ('language', '"later"'),
    ('card_removal', '"later"'), ('later', '1')`

test('what a newer version kept and this one does not know leaves the rest as it is, and stays for the newer', async (t) => {
  const newer = await playerFixture(t)
  await newer.post('/prayer/config', {
    lat: 30.04,
    lng: 31.24,
    method: 2,
    adhan: { enabled: true },
  })
  await newer.post('/schedules', DAILY)
  await newer.post('/rfid/cards', { uid: '04AABBCC', name: 'known', binding: surah })
  await newer.post('/settings/max-volume', { max_volume: 80 })
  newer.db.exec(LATER)
  await newer.close()

  const { app, db, get } = await playerFixture(t, { dataDir: newer.dataDir })
  const read = async (url: string) => {
    const reply = await app.inject({
      url: `/api${url}`,
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    assert.equal(reply.statusCode, 200, `${url} ${reply.body}`)
    return reply.json()
  }
  const { valid, config } = await read('/prayer')
  const { method, convention, high_latitude, adhan } = config
  assert.deepEqual(
    [valid, method, convention, high_latitude, adhan.enabled],
    [true, 2, null, 'middle_of_the_night', true],
  )
  assert.deepEqual(
    (await read('/schedules')).schedules.map(({ hour }: { hour: number }) => hour),
    [5],
  )
  assert.deepEqual(
    (await read('/rfid/cards')).cards.map(({ name }: { name: string }) => name),
    ['known'],
  )
  const { language, card_removal, max_volume } = await read('/settings')
  assert.deepEqual([language, card_removal, max_volume], ['en', 'continue', 80])
  assert.equal((await get('/playback/mode')).json().mode, 'off')
  assert.equal(db.prepare('SELECT count(*) AS n FROM schedules').get()?.n, 2)
  assert.equal(db.prepare('SELECT count(*) AS n FROM nfc_cards').get()?.n, 2)
})
