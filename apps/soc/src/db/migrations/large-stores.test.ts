import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

test('what a device runs is told as of each firmware by itself, for whatever there is', async (t) => {
  const soc = await startTestSoc(t)
  await soc.query('SELECT setseed(0.4)')
  await soc.query(`INSERT INTO firmware (id, vendor, product, version, version_key, sha256, status,
      origin, created_by)
    SELECT gen_random_uuid(), (ARRAY['Acme', 'ACME', 'Wadi'])[1 + n % 3],
      (ARRAY['plc', 'PLC', 'pump'])[1 + n / 3 % 3], 'v' || n / 9, lpad((n / 9)::text, 5, '0'),
      encode(sha256(n::text::bytea), 'hex'),
      (ARRAY['allowed', 'blocked', 'deprecated'])[1 + floor(random() * random() * 3)::integer],
      'manual', 'somebody'
    FROM generate_series(0, 80) AS n`)
  // Nothing of one product is good.
  await soc.query(`UPDATE firmware SET status = 'blocked' WHERE lower(product) = 'pump'`)
  await soc.query(`INSERT INTO cps_devices (id, name, device_type, managed, firmware_sha256)
    SELECT gen_random_uuid(), 'device ' || n, 'plc', true,
      CASE WHEN n % 10 > 0 THEN upper(encode(sha256((n % 90)::text::bytea), 'hex')) END
    FROM generate_series(1, 300) AS n`)
  const told = await soc.query<{ state: string }>(`
    SELECT running.state, running.latest_version IS NOT DISTINCT FROM
        CASE WHEN known.id IS NOT NULL THEN firmware_latest(known) END AS is_latest,
      running.firmware_id IS NOT DISTINCT FROM known.id AS is_known,
      running.state = CASE WHEN device.firmware_sha256 IS NULL THEN 'unreported'
        WHEN known.id IS NULL THEN 'unknown'
        WHEN known.status = 'blocked' THEN 'blocked'
        WHEN firmware_is_outdated(known) OR known.status = 'deprecated' THEN 'outdated'
        ELSE 'current' END AS is_state
    FROM running_firmware AS running
    JOIN cps_devices AS device ON device.id = running.device_id
    LEFT JOIN firmware AS known ON known.sha256 = lower(device.firmware_sha256)`)
  assert.equal(told.length, 300)
  const states = new Set(told.map(({ state }) => state))
  assert.deepEqual([...states].toSorted(), [
    ...['blocked', 'current', 'outdated', 'unknown', 'unreported'],
  ])
  const wrong = told.filter((one) => Object.values(one).includes(false as never))
  assert.deepEqual(wrong, [])
})
