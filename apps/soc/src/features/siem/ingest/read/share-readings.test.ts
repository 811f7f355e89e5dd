import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventReader } from './event-reader.ts'
import type { Part, Reading } from './part.ts'
import { shareReadings } from './share-readings.ts'

const PART: Part = {
  ...{ from: 0, size: 0, logs: [], rejections: [], kinds: [], named: [] },
  ...{ unread: 0, work: 0, hangs: 0, isLast: true },
}
const request: Reading = { way: 'api', format: { kind: 'hec' }, receivedAt: 0 }
const syslog: Reading = {
  ...{ way: 'syslog_udp', receivedAt: 0 },
  format: { kind: 'syslog', messages: [] },
}

/** Notes what it is given under its name. */
function readerOf(name: string, noted: string[]): EventReader {
  return {
    async *read() {
      noted.push(`${name} begins`)
      yield PART
      noted.push(`${name} ends`)
    },
    warmUp: async () => void noted.push(`${name} warms up`),
    isReading: () => name === 'second',
    hangs: () => 2,
    setParsers: () => noted.push(`${name} parsers`),
    setRules: () => noted.push(`${name} rules`),
    stop: async () => void noted.push(`${name} stops`),
  }
}

test('a request goes where the fewest are read, one that was left counts no longer', async () => {
  const noted: string[] = []
  const shared = shareReadings([readerOf('first', noted), readerOf('second', noted)])
  const readings = [shared.read(request), shared.read(request), shared.read(request)]
  for (const reading of readings) await reading.next()
  assert.deepEqual(noted.splice(0), ['first begins', 'second begins', 'first begins'])
  await readings[0]?.return(undefined)
  await readings[2]?.return(undefined)
  const next = shared.read(request)
  await next.next()
  assert.deepEqual(noted.splice(0), ['first begins'])
})

test('messages of syslog all go to the first, in their order', async () => {
  const noted: string[] = []
  const shared = shareReadings([readerOf('first', noted), readerOf('second', noted)])
  const readings = [shared.read(syslog), shared.read(syslog)]
  for (const reading of readings) await reading.next()
  assert.deepEqual(noted, ['first begins', 'first begins'])
})

test('all of them have the same parsers and rules, are asked whether they read, warm up and stop', async () => {
  const noted: string[] = []
  const shared = shareReadings([readerOf('first', noted), readerOf('second', noted)])
  shared.setParsers([])
  shared.setRules(undefined)
  await shared.warmUp()
  await shared.stop()
  assert.deepEqual(noted, [
    ...['first parsers', 'second parsers', 'first rules', 'second rules'],
    ...['first warms up', 'second warms up', 'first stops', 'second stops'],
  ])
  assert.deepEqual([shared.isReading(), shared.hangs()], [true, 4])
})
