import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOfAlerts } from './events-of-alerts.ts'

/** Alerts with so many events each, named by numbers that go on; some share what is named. */
function listed(alerts: number[][]) {
  const eventsOf = async (alert: number[], most: number) =>
    alert.slice(0, most).map((n) => ({
      ...{ id: `${n}`, timestamp: new Date(n).toISOString(), message: `event ${n}` },
      ...{ host: null, user: null, process: null, fields: {} },
    }))
  return eventsOfAlerts(eventsOf as never, alerts as never)
}
const upTo = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)
/** Two hundred, by ten alerts. */
const FULL = upTo(0, 10).map((n) => upTo(n * 20, 20))

test('no more events are listed than the report says, in their order', async () => {
  const { events, areEventsCut } = await listed([...FULL.slice(0, 9), upTo(180, 19), upTo(999, 20)])
  assert.deepEqual([events.length, areEventsCut], [200, true])
  assert.deepEqual(
    events.map(({ what }) => what),
    [...upTo(0, 199), 999].map((n) => `event ${n}`),
  )
})

for (const [told, more, areCut] of [
  ['nothing further', [], false],
  ['an alert with events that are listed already', [upTo(5, 3)], false],
  ['one of an event of its own behind it', [upTo(5, 3), [999]], true],
  ['one with an event of its own among them', [[5, 999, 6]], true],
  ['an alert whose events are gone', [[]], false],
] as const) {
  test(`a full list and ${told}: cut is ${areCut}`, async () => {
    const { events, areEventsCut } = await listed([...FULL, ...more.map((some) => [...some])])
    assert.deepEqual([events.length, areEventsCut], [200, areCut])
  })
}

test('of one alert twenty are listed, and it is said that there are more', async () => {
  const { events, areEventsCut } = await listed([upTo(0, 21)])
  assert.deepEqual([events.length, areEventsCut], [20, true])
})
