import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nextTransition } from '@manara/posix-tz/next-transition'
import { offsetAt } from '@manara/posix-tz/offset-at'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import { playerFixture } from '../../testing/player-fixture.ts'
import { readCityList } from './domain/city-list.ts'
import { findCities } from './domain/find-cities.ts'

const CITIES = readCityList(readFileSync(new URL('./cities.txt', import.meta.url), 'utf8'))

test('the list is large enough and small enough, every line complete and none twice', () => {
  assert.ok(CITIES.length > 900 && CITIES.length < 2000, String(CITIES.length))
  const keys = CITIES.map(({ names, country }) => `${names[0]} ${country}`)
  assert.equal(new Set(keys).size, keys.length)
  for (const { names, arabic, country, lat, lng } of CITIES) {
    assert.match(country, /^[A-Z]{2}$/)
    assert.ok(
      names.every((name) => /^[A-Z0-9][\p{L}\p{N}.'() -]+$/u.test(name)),
      names.join('/'),
    )
    assert.ok(
      arabic.every((name) => /^[\p{Script=Arabic} ]+$/u.test(name)),
      arabic.join('/'),
    )
    assert.ok(Math.abs(lat) < 70 && Math.abs(lng) <= 180, names[0])
  }
})

test('every city lies where its clock can be: within two and a half hours of the sun', () => {
  for (const { names, lng, rule } of CITIES) {
    const { offset_s } = offsetAt(parsePosixTz(rule), Date.parse('2027-01-15T00:00:00Z'))
    // Samoa and Tonga are a day ahead of their longitude.
    const behind = Math.abs(((((offset_s / 3600 - lng / 15 + 12) % 24) + 24) % 24) - 12)
    assert.ok(behind <= 2.5, `${names[0]} ${behind}`)
  }
})

// Rules change by decree: the list is held against the year that begins here, not against the past.
const FROM = Date.parse('2026-11-15T12:00:00Z')
const MONTHS = Array.from({ length: 13 }, (_, month) => FROM + month * 30 * 86_400_000)
const HEADINGS = [...new Set(CITIES.map(({ zone, rule }) => `${zone} ${rule}`))]

test('every rule is that of its zone, all through the coming year', () => {
  const known = HEADINGS.filter((heading) => isKnownToHost(heading.split(' ')[0]))
  assert.ok(known.length > 100, String(known.length))
  const wrong = known.filter((heading) => {
    const [zone = '', rule = ''] = heading.split(' ')
    const parsed = parsePosixTz(rule)
    return [...MONTHS, ...aroundChanges(parsed)].some(
      (epoch) => offsetAt(parsed, epoch).offset_s !== hostOffset(zone, epoch),
    )
  })
  assert.deepEqual(wrong, [])
})

/** The minutes before and after both changes of the year, which may be right but an hour off. */
function aroundChanges(rule: ReturnType<typeof parsePosixTz>): number[] {
  const first = nextTransition(rule, FROM)
  const second = first && nextTransition(rule, first.epoch)
  return [first, second].flatMap((change) =>
    change ? [change.epoch - 60_000, change.epoch + 60_000] : [],
  )
}

function isKnownToHost(timeZone = ''): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

function hostOffset(timeZone: string, epoch: number): number {
  const [, sign, hours, minutes] =
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
      .format(epoch)
      .match(/GMT(?:([+-])(\d+):(\d+))?$/) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60)
}

test('GET /prayer/cities finds by Latin and Arabic letters, and tells what to set', async (t) => {
  const { get } = await playerFixture(t)
  const cairo = {
    name: 'Cairo',
    name_ar: 'القاهرة',
    country: 'EG',
    country_name: 'Egypt',
    country_name_ar: 'مصر',
    lat: 30.04,
    lng: 31.24,
    zone: 'Africa/Cairo',
    timezone: 'EET-2EEST,M4.5.5/0,M10.5.4/24',
    method: 2,
    convention: null,
    asr_hanafi: false,
  }
  for (const q of ['cairo', 'القاهره']) {
    const reply = await get(`/prayer/cities?q=${encodeURIComponent(q)}`)
    assert.equal(reply.statusCode, 200, reply.body)
    assert.deepEqual(reply.json().cities[0], cairo)
  }
  const { total, cities } = (await get('/prayer/cities?q=turkey&limit=3')).json()
  assert.ok(total > 20)
  assert.deepEqual([cities.length, cities[0].convention], [3, 'diyanet'])
})

test('what a city gives can be sent as it is', async (t) => {
  const { get, post } = await playerFixture(t)
  for (const q of ['istanbul', 'makkah', 'nuuk', 'apia', 'karachi', 'jakarta']) {
    const { cities } = (await get(`/prayer/cities?q=${q}`)).json()
    const { lat, lng, method, convention, asr_hanafi, timezone } = cities[0]
    const zone = await post('/settings/timezone', { timezone })
    assert.equal(zone.statusCode, 200, zone.body)
    const place = { lat, lng, method, convention, asr_hanafi }
    const reply = await post('/prayer/config', place)
    assert.equal(reply.statusCode, 200, reply.body)
    assert.equal(reply.json().valid, true)
  }
})

const ELSEWHERE =
  'Kiev Tirane Calcutta Katmandu Rangoon Dacca Bombay Ashkhabad Asmera Thimbu Godthab Canary'
const AT_HOME =
  'München Köln Wien Nürnberg Düsseldorf Tromsø Århus København Göteborg Roma Lisboa Genève Bruxelles Fès'
for (const name of [
  ...ELSEWHERE.split(' '),
  ...AT_HOME.split(' '),
  'Ulan Bator',
  'El Aaiun',
  'Den Haag',
])
  test(`a city is also found as ${name}, as it was called before or is by those who live there`, () => {
    assert.ok(findCities(CITIES, name, () => []).length > 0)
  })

// Each has more than 300,000 people, or is the seat of a province that families call their town.
const LARGE =
  'Manisa Tarsus Corum Rize Arak Zanjan Qazvin Sheikhupura Gujrat Gazipur Narayanganj Serang Tasikmalaya Bengkulu Kupang Klang Tawau Pavlodar Semey Atyrau Kyzylorda Qarshi Kokand Turkmenabat Sumqayit Samawah Russeifa Seeb Kosti Chlef Temara Galkayo Minna Gombe Sikasso Serekunda Nzerekore'
test('the large towns of Muslim countries are in the list', () => {
  const missing = LARGE.split(' ').filter((name) => !CITIES.some(({ names }) => names[0] === name))
  assert.deepEqual(missing, [])
})

test('GET /prayer/cities without words, with too many, or with a limit that is none is a 400 that names the field', async (t) => {
  const { get } = await playerFixture(t)
  const long = 'a'.repeat(101)
  for (const query of ['', 'q=', 'q=%20', `q=${long}`, 'q=a&limit=0', 'q=a&limit=1e1']) {
    const reply = await get(`/prayer/cities?${query}`)
    assert.equal(reply.statusCode, 400, query)
    assert.match(reply.json().error, query.includes('limit') ? /^limit/ : /^q/)
  }
})
