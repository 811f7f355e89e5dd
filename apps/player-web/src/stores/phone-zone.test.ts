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
  const { timezone } = (await findZone(api, 'Africa/Cairo', NOW)) ?? assert.fail('no zone')
  assert.equal(timezone, '<+0200>-2:00<+0300>-3:00,M4.5.5/0:00,M10.5.4/24:00')
})

/** Names that a phone has and the list of the box does not. */
const BY_CLOCK = {
  'Asia/Calcutta': '<+0530>-5:30',
  'America/Bogota': '<-0500>5:00',
  'Africa/Abidjan': '<+0000>0:00',
  'Europe/Kiev': '<+0200>-2:00<+0300>-3:00,M3.5.0/3:00,M10.5.0/4:00',
  'Europe/Tirane': '<+0100>-1:00<+0200>-2:00,M3.5.0/2:00,M10.5.0/3:00',
  'Atlantic/Canary': '<+0000>0:00<+0100>-1:00,M3.5.0/1:00,M10.5.0/2:00',
  // On the evening before the last Sunday, which may be in the week before the last.
  'America/Godthab': '<-0200>2:00<-0100>1:00,M3.5.0/-1:00,M10.5.0/0:00',
  'America/Nassau': '<-0500>5:00<-0400>4:00,M3.2.0/2:00,M11.1.0/2:00',
  'Pacific/Chatham': '<+1245>-12:45<+1345>-13:45,M9.5.0/2:45,M4.1.0/3:45',
  'Australia/Lord_Howe': '<+1030>-10:30<+1100>-11:00,M10.1.0/2:00,M4.1.0/2:00',
}

test('a zone without a city is told by how the clock of the phone goes', async () => {
  const { api } = fixture([])
  for (const [zone, timezone] of Object.entries(BY_CLOCK)) {
    assert.deepEqual(await findZone(api, zone, NOW), { timezone })
  }
})

test('a zone that nobody knows is no zone', async () => {
  const { api } = fixture([city('Nowhere', 'Mars/Olympus', 'X0')])
  assert.equal(await findZone(api, 'Mars/Phobos', NOW), undefined)
})
