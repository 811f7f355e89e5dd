import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solarTransit, sunAltitude, sunAt } from './sun.ts'

test("Meeus's example 25.a: the sun on 1992 October 13 at 0 h", () => {
  assert.ok(Math.abs(sunAt(Date.UTC(1992, 9, 13)).declination + 7.78507) < 0.001)
})

test('at the equinox the sun crosses the equator, at the solstices it turns', () => {
  const moments: [epoch: number, declination: number][] = [
    [Date.UTC(2025, 2, 20, 9, 1), 0],
    [Date.UTC(2025, 5, 21, 2, 42), 23.436],
    [Date.UTC(2025, 8, 22, 18, 19), 0],
    [Date.UTC(2025, 11, 21, 15, 3), -23.436],
  ]
  for (const [epoch, declination] of moments)
    assert.ok(Math.abs(sunAt(epoch).declination - declination) < 0.01)
})

test('at transit the sun is as high as latitude and declination allow', () => {
  const near = Date.UTC(2025, 4, 1, 10)
  const transit = solarTransit(31.2357, near)
  assert.ok(Math.abs(transit - near) < 3_600_000)
  const { declination } = sunAt(transit)
  const highest = 90 - (30.0444 - declination)
  assert.ok(Math.abs(sunAltitude(30.0444, 31.2357, transit) - highest) < 1e-6)
})
