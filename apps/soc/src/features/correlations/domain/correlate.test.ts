import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CorrelationRuleCreate } from '@manara/soc-contract/correlations'
import fc from 'fast-check'
import { correlate, joined } from './correlate.ts'
import type { Signal } from './signal.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const MINUTE = 60_000

const rule = CorrelationRuleCreate.parse({
  name: 'Contraindicated after lateral movement',
  same: ['site'],
  within_minutes: 60,
  anchor: { kind: 'attestation', verdicts: ['contraindicated'] },
  others: [{ kind: 'alert', side: 'it', marks: ['T1021', 'lateral_movement'], when: 'around' }],
})

const signal = (id: string, minutes: number, rest: Partial<Signal> = {}): Signal => ({
  kind: 'alert',
  id,
  subject: id,
  at: NOON + minutes * MINUTE,
  title: `alert ${id}`,
  side: 'it',
  source: 'detection',
  severity: 'high',
  tags: [],
  techniques: ['T1021.002'],
  verdict: null,
  site_id: 'station',
  zone: null,
  host: 'eng-ws-02',
  ...rest,
})

const attested = (id: string, minutes: number, rest: Partial<Signal> = {}) =>
  signal(id, minutes, {
    kind: 'attestation',
    title: 'contraindicated: the firmware is unknown',
    side: 'cps',
    techniques: [],
    verdict: 'contraindicated',
    host: 'plc-pump-03',
    zone: 'process',
    ...rest,
  })

const found = (signals: Signal[], over: object = {}) =>
  correlate({ ...rule, ...over }, signals).map(({ found: one }) => one.evidence.map(({ id }) => id))

const CASES: [string, Signal[], string[][]][] = [
  ['within the hour, at the same site', [signal('a', -40), attested('x', 0)], [['a', 'x']]],
  ['afterwards, too', [attested('x', 0), signal('a', 60)], [['x', 'a']]],
  ['a minute too late', [attested('x', 0), signal('a', 61)], []],
  ['at another site', [attested('x', 0), signal('a', 1, { site_id: 'office' })], []],
  [
    'at no known site',
    [attested('x', 0, { site_id: null }), signal('a', 1, { site_id: null })],
    [],
  ],
  ['another technique', [attested('x', 0), signal('a', 1, { techniques: ['T1566.001'] })], []],
  ['T102 is not T1021', [attested('x', 0), signal('a', 1, { techniques: ['T1021x'] })], []],
  [
    'by its tag',
    [attested('x', 0), signal('a', 1, { techniques: [], tags: ['Lateral_Movement'] })],
    [['x', 'a']],
  ],
  ['an affirming answer', [attested('x', 0, { verdict: 'affirming' }), signal('a', 1)], []],
  [
    'two anchors are two',
    [attested('x', 0), attested('y', 2), signal('a', 1)],
    [
      ['x', 'a'],
      ['a', 'y'],
    ],
  ],
  ['an anchor alone', [attested('x', 0), attested('y', 2)], []],
]

for (const [name, signals, expected] of CASES) {
  test(`correlate: ${name}`, () => assert.deepEqual(found(signals), expected))
}

test('one side must come before, and as many as were asked for', () => {
  const before = { others: [{ marks: ['T1021'], when: 'before', at_least: 2 }] }
  assert.deepEqual(found([attested('x', 0), signal('a', 1), signal('b', -1)], before), [])
  assert.deepEqual(found([attested('x', 0), signal('a', -1), signal('a', -3)], before), [])
  assert.deepEqual(found([attested('x', 0), signal('a', -1), signal('b', -3)], before), [
    ['b', 'a', 'x'],
  ])
})

test('a device that fails again and again is one, and elsewhere is another host', () => {
  const again = [attested('x1', 0, { subject: 'x' }), attested('x2', 5, { subject: 'x' })]
  assert.deepEqual(found([...again, signal('a', 3)]), [['x1', 'a']])
  const several = {
    others: [{ kind: 'attestation', when: 'before', at_least: 1, other_host: true }],
  }
  assert.deepEqual(found(again, several), [])
  assert.deepEqual(found([...again, attested('y', 6, { host: 'plc-pump-04' })], several), [
    ['x1', 'y'],
  ])
})

test('tomorrow is another correlation', () => {
  const tomorrow = 24 * 60
  const signals = [attested('x1', 0, { subject: 'x' }), signal('a', 1)]
  signals.push(attested('x2', tomorrow, { subject: 'x' }), signal('b', tomorrow + 1))
  assert.deepEqual(found(signals), [
    ['x1', 'a'],
    ['x2', 'b'],
  ])
})

test('a zone is one of its site, and hosts are compared without regard to case', () => {
  const zones = { same: ['zone'] }
  const other = signal('a', 1, { zone: 'process' })
  assert.deepEqual(found([attested('x', 0), other], zones), [['x', 'a']])
  assert.deepEqual(found([attested('x', 0), { ...other, site_id: 'office' }], zones), [])
  const hosts = { same: ['host'] }
  assert.deepEqual(found([attested('x', 0), signal('a', 1, { host: 'PLC-Pump-03' })], hosts), [
    ['x', 'a'],
  ])
})

test('it says why: what, when, how near and where', () => {
  const [one] = correlate(rule, [signal('a', -40), attested('x', 0)])
  assert.equal(one?.found.title, 'Contraindicated after lateral movement on plc-pump-03')
  assert.equal(
    one?.found.why,
    'The attestation “contraindicated: the firmware is unknown” on plc-pump-03 at 2026-03-02T12:00:00.000Z was within an hour of alert “alert a” at 2026-03-02T11:20:00.000Z, at the same site (station).',
  )
  assert.deepEqual(
    [one?.found.first_at, one?.found.last_at, one?.found.evidence_count],
    ['2026-03-02T11:20:00.000Z', '2026-03-02T12:00:00.000Z', 2],
  )
})

test('a storm of signals is counted whole, shown in part, and names its anchor', () => {
  const storm = Array.from({ length: 500 }, (_, at) => signal(`a${at}`, -at / 10))
  const [one] = correlate(rule, [...storm, attested('x', 0)])
  assert.equal(one?.found.evidence_count, 501)
  assert.equal(one?.found.evidence.length, 100)
  assert.ok(one?.found.evidence.some(({ role }) => role === 'anchor'))
})

test('what comes to a storm later does not push its anchor out', () => {
  const storm = (from: number) =>
    Array.from({ length: 99 }, (_, at) => signal(`a${from}-${at}`, from - at / 10))
  const [first] = correlate(rule, [...storm(-1), attested('x', 0)])
  const [later] = correlate(rule, [...storm(-20), attested('x', 0)])
  assert.ok(first && later)
  const all = joined(rule, first.found.evidence, later.found)
  assert.equal(all.evidence.length, 100)
  assert.equal(all.title, first.found.title)
  assert.match(
    all.why,
    /^The attestation “contraindicated: the firmware is unknown” on plc-pump-03/,
  )
})

test('the order in which signals came changes nothing', () => {
  const arbitrary = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    minutes: fc.integer({ min: -90, max: 90 }),
    isAnchor: fc.boolean(),
  })
  const property = fc.property(
    fc.array(arbitrary, { maxLength: 20 }),
    fc.infiniteStream(fc.nat()),
    (given, numbers) => {
      const signals = given.map(({ id, minutes, isAnchor }) =>
        isAnchor ? attested(`x${id}`, minutes) : signal(id, minutes),
      )
      const shuffled = signals
        .map((one) => ({ one, by: numbers.next().value as number }))
        .toSorted((a, b) => a.by - b.by)
        .map(({ one }) => one)
      assert.deepEqual(correlate(rule, shuffled), correlate(rule, signals))
    },
  )
  fc.assert(property)
})
