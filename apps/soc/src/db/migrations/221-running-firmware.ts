import { statement } from './statement.ts'

/** Each device with what it says it runs, and what is thought of that. */
export const runningFirmware = statement(`
  CREATE VIEW running_firmware AS
  SELECT device.id AS device_id, device.name AS device_name, device.site_id, device.zone,
    device.vendor, device.model, device.firmware_version, device.firmware_sha256,
    CASE WHEN device.firmware_sha256 IS NULL THEN 'unreported'
      WHEN known.id IS NULL THEN 'unknown'
      WHEN known.status = 'blocked' THEN 'blocked'
      WHEN firmware_is_outdated(known) OR known.status = 'deprecated' THEN 'outdated'
      ELSE 'current' END AS state,
    known.id AS firmware_id,
    CASE WHEN known.id IS NOT NULL THEN firmware_latest(known) END AS latest_version
  FROM cps_devices AS device
  LEFT JOIN firmware AS known ON known.sha256 = lower(device.firmware_sha256)
`)
