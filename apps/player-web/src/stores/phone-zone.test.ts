import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type City, findZone } from './phone-zone.ts'

const NOW = Date.UTC(2026, 10, 17)

const city = (name: string, zone: string, timezone: string) => ({ name, zone, timezone }) as City
const ILLINOIS = city('Cairo, Illinois', 'America/Chicago', 'CST6CDT,M3.2.0,M11.1.0')
const CAIRO = city('Cairo', 'Africa/Cairo', 'EET-2EEST,M4.5.5/0,M10.5.4/24')
const KOLKATA = city('Kolkata', 'Asia/Kolkata', 'IST-5:30')

/** A box that finds some cities, and what it was asked. */
function fixture(cities: City[]) {
  const asked: string[] = []
  const api = {
    async get(path: string) {
      asked.push(path)
      return { cities } as never
    },
  }
  return { api, asked }
}

test('the zone of the phone is found by the city that it is called by', async () => {
  const { api, asked } = fixture([ILLINOIS, CAIRO])
  assert.equal(await findZone(api, 'Africa/Cairo', NOW), CAIRO)
  assert.deepEqual(asked, ['/prayer/cities?limit=100&q=Cairo'])
})

test('a zone under an old name is the one whose clocks go the same', async () => {
  const { api } = fixture([KOLKATA])
  assert.equal(await findZone(api, 'Asia/Calcutta', NOW), KOLKATA)
})

test('a city of the same name in another zone is not taken', async () => {
  const { api } = fixture([ILLINOIS])
  assert.equal(await findZone(api, 'Africa/Cairo', NOW), undefined)
})

test('where clocks are never put forward the hours are enough', async () => {
  const { api } = fixture([])
  assert.deepEqual(await findZone(api, 'Asia/Calcutta', NOW), { timezone: '<+0530>-05:30' })
  assert.deepEqual(await findZone(api, 'America/Bogota', NOW), { timezone: '<-0500>+05:00' })
  assert.deepEqual(await findZone(api, 'Africa/Abidjan', NOW), { timezone: '<+0000>-00:00' })
  assert.equal(await findZone(api, 'Europe/Kyiv', NOW), undefined)
})

test('a zone that nobody knows is no zone', async () => {
  const { api } = fixture([city('Nowhere', 'Mars/Olympus', 'X0')])
  assert.equal(await findZone(api, 'Mars/Phobos', NOW), undefined)
})
