import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnusual, type KnownWriter } from './is-unusual.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const HOUR = 3_600_000
const process = { site_id: 'station', zone: 'process' }
const office = { site_id: 'station', zone: 'office' }

const hmi: KnownWriter = {
  address: '10.1.2.5',
  protocol: 'modbus',
  writes: 3,
  is_usual: true,
  first_at: NOON,
}
const write = (from: string, hours = 1) => ({
  ...{ from, protocol: 'modbus', count: 1 },
  ...{ firstAt: NOON + hours * HOUR, lastAt: NOON + hours * HOUR },
})
const subnet = (from: string) => (address: string) =>
  address.split('.').slice(0, 3).join() === from.split('.').slice(0, 3).join()
const nowhere = (from: string) => ({
  ...{ device: undefined, writer: undefined },
  isSameSubnet: subnet(from),
})

const CASES: [string, boolean, Parameters<typeof isUnusual>][] = [
  ['the first who writes', false, [write('10.1.2.5'), [], nowhere('10.1.2.5')]],
  [
    'the first, from another zone',
    true,
    [write('10.9.9.9'), [], { device: process, writer: office, isSameSubnet: () => false }],
  ],
  [
    'the first, from nowhere to a zone',
    true,
    [write('203.0.113.9'), [], { device: process, writer: undefined, isSameSubnet: () => false }],
  ],
  ['the usual one again, days later', false, [write('10.1.2.5', 99), [hmi], nowhere('10.1.2.5')]],
  [
    'the usual one with another protocol',
    false,
    [{ ...write('10.1.2.5'), protocol: 's7' }, [hmi], nowhere('10.1.2.5')],
  ],
  ['somebody of another subnet', true, [write('10.1.9.9'), [hmi], nowhere('10.1.9.9')]],
  [
    'a neighbour of the usual one, on the first day',
    false,
    [write('10.1.2.6'), [hmi], nowhere('10.1.2.6')],
  ],
  ['a neighbour after a day', true, [write('10.1.2.6', 24), [hmi], nowhere('10.1.2.6')]],
  [
    'a neighbour after ten commands',
    true,
    [write('10.1.2.6'), [{ ...hmi, writes: 10 }], nowhere('10.1.2.6')],
  ],
  [
    'somebody of the zone, on the first day',
    false,
    [write('10.1.3.3'), [hmi], { device: process, writer: process, isSameSubnet: () => false }],
  ],
  [
    'who was unusual before',
    true,
    [
      write('10.1.9.9'),
      [hmi, { ...hmi, address: '10.1.9.9', is_usual: false }],
      nowhere('10.1.9.9'),
    ],
  ],
  [
    'who was accepted since',
    false,
    [write('10.1.9.9'), [hmi, { ...hmi, address: '10.1.9.9' }], nowhere('10.1.9.9')],
  ],
]

for (const [name, expected, args] of CASES) {
  test(`a write by ${name} is ${expected ? 'unusual' : 'usual'}`, () => {
    assert.equal(isUnusual(...args), expected)
  })
}
