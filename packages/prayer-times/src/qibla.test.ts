import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qibla } from './qibla.ts'

const BEARINGS: [city: string, lat: number, lng: number, degrees: number][] = [
  ['Cairo', 30.0444, 31.2357, 136],
  ['Riyadh', 24.7136, 46.6753, 244],
  ['Karachi', 24.8607, 67.0011, 268],
  ['London', 51.5074, -0.1278, 119],
  ['New York', 40.7128, -74.0059, 58],
  ['Jakarta', -6.2088, 106.8456, 295],
  ['Cape Town', -33.9249, 18.4241, 23],
  ['due north of the Kaaba', 50, 39.8261818, 180],
  ['due south of the Kaaba', 0, 39.8261818, 0],
]

for (const [city, lat, lng, degrees] of BEARINGS)
  test(`from ${city} the Kaaba is at ${degrees}°`, () => {
    assert.equal(Math.round(qibla({ lat, lng })), degrees)
  })
