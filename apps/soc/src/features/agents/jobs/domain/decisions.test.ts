import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOutside, isPerson } from './indicator-kinds.ts'
import { logonTrouble } from './logon-trouble.ts'
import { endedOn, isBehind, newestOf } from './out-of-support.ts'
import { rankAlert } from './rank.ts'
import { smallestCriteria } from './smallest-criteria.ts'
import { beaconOf, scanOf } from './traffic.ts'

const bare = {
  verdicts: undefined,
  criticality: null,
  isServer: false,
  known: [],
  investigation: undefined,
}

test('a rank falls with what people said, but never by half and never for a critical alert', () => {
  const never = { right: 0, all: 98, prior: 0.01 }
  const of = (severity: 'critical' | 'high', verdicts: typeof never | undefined) =>
    rankAlert({ ...bare, severity, verdicts }).score
  assert.ok(of('high', never) < of('high', undefined))
  assert.ok(of('high', never) >= of('high', undefined) / 2)
  assert.equal(of('critical', never), of('critical', undefined))
})

test('an investigation decides the verdict; without one only what is certain is an attack', () => {
  const verdictOf = (severity: 'critical' | 'medium', verdict?: 'attack' | 'nothing_found') =>
    rankAlert({
      ...bare,
      severity,
      investigation: verdict && { verdict, score: verdict === 'attack' ? 80 : 3 },
    }).verdict
  assert.equal(verdictOf('medium', 'attack'), 'attack')
  assert.equal(verdictOf('critical', 'nothing_found'), 'suspicious')
  assert.equal(verdictOf('medium', 'nothing_found'), 'nothing_found')
  assert.equal(verdictOf('critical'), 'attack')
  assert.equal(verdictOf('medium'), 'suspicious')
})

for (const [value, expected] of [
  ['203.0.113.7', true],
  ['10.1.2.3', false],
  ['172.20.0.1', false],
  ['192.168.1.1', false],
  ['fe80::1', false],
  ['2001:db8::7', true],
  ['evil.example', true],
  ['a'.repeat(64), true],
  ['localhost', false],
] as const) {
  test(`${value} means ${expected ? 'something' : 'nothing'} elsewhere`, () => {
    assert.equal(isOutside(value), expected)
  })
}

test('machines and services are nobody', () => {
  for (const user of ['WS-1$', 'NT AUTHORITY\\SYSTEM', 'LOCAL SERVICE', 'DWM-1', '', '-', null]) {
    assert.equal(isPerson(user), false, String(user))
  }
  assert.equal(isPerson('CORP\\lina'), true)
})

test('criteria: the fewest fields that hold every false event and no true one', () => {
  const wrong = [1, 2].map((n) => ({ process: 'a.exe', user: 'svc', host: `h${n}` }))
  const other = { process: 'a.exe', user: 'lina', host: 'h1' }
  assert.deepEqual(smallestCriteria(wrong, [], [...wrong, other]), {
    criteria: { user: ['svc'] },
    held: 2,
  })
  assert.deepEqual(smallestCriteria(wrong, [{ process: 'b.exe', user: 'svc' }], wrong), {
    criteria: { process: ['a.exe'] },
    held: 2,
  })
  assert.equal(smallestCriteria(wrong, wrong, wrong), undefined)
})

test('a guessed password needs five wrong ones within ten minutes, by the same person from there', () => {
  const logon = (minute: number, ok: boolean, user = 'lina') => ({
    id: `${minute}`,
    at: minute * 60_000,
    host: 'h',
    user,
    from: '10.0.0.1',
    ok,
  })
  const tries = (count: number, step = 1) =>
    Array.from({ length: count }, (_, n) => logon(n * step, false))
  const kinds = (...logons: Parameters<typeof logonTrouble>[0]) =>
    logonTrouble(logons).map(({ kind }) => kind)
  assert.deepEqual(kinds(...tries(5), logon(6, true)), ['guessed'])
  assert.deepEqual(kinds(...tries(4), logon(6, true)), [])
  assert.deepEqual(kinds(...tries(5, 3), logon(16, true)), [])
  assert.deepEqual(kinds(...tries(5), logon(6, true, 'omar')), [])
})

test('a beacon is even, a person is not; a scan is many within five minutes', () => {
  const even = Array.from({ length: 10 }, (_, n) => n * 60_000 + (n % 2) * 2_000)
  assert.deepEqual(beaconOf(even)?.count, 10)
  assert.equal(beaconOf([0, 1, 50, 52, 300, 301, 900, 4_000].map((s) => s * 1_000)), undefined)
  assert.equal(beaconOf(even.slice(0, 5)), undefined)
  const tried = (count: number, gapMs: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: `${n}`,
      at: n * gapMs,
      to: `10.0.0.${n}`,
      port: '445',
    }))
  assert.equal(scanOf(tried(25, 1_000))?.what, 'hosts')
  assert.equal(scanOf(tried(25, 60_000)), undefined)
  assert.equal(
    scanOf(tried(25, 1_000).map((one, n) => ({ ...one, to: 'x', port: `${n}` })))?.what,
    'ports',
  )
})

test('support and versions', () => {
  const now = Date.parse('2026-01-01')
  assert.equal(endedOn('Windows 10 22H2', now), '2025-10-14')
  assert.equal(endedOn('Windows 11 23H2', now), undefined)
  assert.equal(endedOn('Debian 12', now), undefined)
  assert.equal(endedOn('Debian 10', now), '2024-06-30')
  assert.equal(newestOf(['4.2.1', '4.10.0', '4.9.9']), '4.10.0')
  assert.equal(isBehind('4.9.9', '4.10.0'), true)
  assert.equal(isBehind('4.10.0', '4.10.3'), false)
})
