import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putTree } from '../../testing/fake-tree.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const gauge = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, value]) => [`sys/class/power_supply/cell/${name}`, value]),
  )
const CELL = gauge({
  type: 'Battery',
  voltage_now: '3900000',
  capacity: '64',
  status: 'Discharging',
})

test('GET /battery without a battery is all zeros', async (t) => {
  const { app } = await playerFixture(t)
  const reply = await app.inject('/api/battery')
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(reply.json(), { present: false, voltage: 0, percentage: 0, charging: false })
})

test('GET /battery tells what the gauge reads', async (t) => {
  const { get } = await playerFixture(t, { sysfs: CELL })
  assert.deepEqual((await get('/battery')).json(), {
    present: true,
    voltage: 3.9,
    percentage: 64,
    charging: false,
  })
})

test('event battery: a change is told, the flicker of the voltage is not', async (t) => {
  const { box, clock, get, news, next, sysfs } = await playerFixture(t, { sysfs: CELL })
  assert.equal(box.snapshot().battery.percentage, 64)
  news()
  putTree(sysfs, gauge({ voltage_now: '3890000' }))
  assert.equal((await get('/battery')).json().voltage, 3.89)
  assert.deepEqual(news(), [])
  const told = next('battery')
  putTree(sysfs, gauge({ status: 'Charging', capacity: '65' }))
  clock.advance(30_000)
  assert.deepEqual(await told, { present: true, voltage: 3.89, percentage: 65, charging: true })
})
