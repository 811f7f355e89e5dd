import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequest } from './read-request.ts'

const ID = '0198c3f2-1111-7222-8333-123456789abc'
const HASH = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'

const TABLE: [text: string, mentions: string[]][] = [
  [`Alert ${ID}: what happened?`, [`id ${ID}`]],
  [`{"alert_id":"${ID}","host":"web01.corp.example"}`, [`id ${ID}`, 'domain web01.corp.example']],
  ['log_id=e000124 looks odd', ['id e000124']],
  ['Logon from 10.0.0.7, then 2001:db8::1.', ['ip 10.0.0.7', 'ip 2001:db8::1']],
  ['300.1.1.1 is no address', []],
  [`The file ${HASH.toUpperCase()} again`, [`hash ${HASH}`]],
  ['beacons to https://evil.example:8443/a?b', ['domain evil.example']],
  [
    'T1003.001 by CORP\\mallory on WORKSTATION5',
    ['technique T1003.001', 'user mallory', 'host WORKSTATION5'],
  ],
  ['user: "admin" host: db', ['user admin', 'host db']],
  ['C:\\\\Users\\\\x\\\\mimikatz.exe ran', ['program mimikatz.exe']],
  ['please have a look at the alarm from this morning', []],
  ['account mallory was locked', ['user mallory']],
]

for (const [text, mentions] of TABLE) {
  test(`names in: ${text}`, () => {
    assert.deepEqual(
      readRequest(text).all.map(({ type, value }) => `${type} ${value}`),
      mentions,
    )
  })
}

const MOMENTS: [text: string, at: string | undefined][] = [
  ['at 2020-09-22T08:22:31Z', '2020-09-22T08:22:31.000Z'],
  ['at 2020-09-22T10:22:31.5+02:00', '2020-09-22T08:22:31.500Z'],
  ['on 2020-09-22 08:22:31', '2020-09-22T08:22:31.000Z'],
  ['at 08:22', undefined],
  ['2020-99-22T08:22:31Z', undefined],
]
for (const [text, at] of MOMENTS) {
  test(`moment in: ${text}`, () => {
    const found = readRequest(text).at
    assert.equal(found === undefined ? undefined : new Date(found).toISOString(), at)
  })
}

test('however much a text names, what is looked for stays bounded', () => {
  const text = Array.from({ length: 10_000 }, (_, n) => `10.${n >> 8}.${n & 255}.1`).join(' ')
  assert.equal(readRequest(text).all.length, 60)
})

// Quadratic work on these would take longer than anybody waits for a suite.
for (const piece of ['a.', 'a-', ':', '1.', 'host=', '\\\\', 'A0-', '::', "'", '2020-01-01T']) {
  test(`a hundred thousand characters of ${piece}`, () => {
    assert.deepEqual(readRequest(piece.repeat(100_000 / piece.length)).all, [])
  })
}
