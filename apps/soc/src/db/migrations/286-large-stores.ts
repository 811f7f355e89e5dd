import { statement } from './statement.ts'

/**
 * What took seconds with a hundred thousand devices, half a million executions and a million
 * indicators: the newest firmware of a product is looked up once for all devices of one kind, what
 * was executed for a case and what has a label are found in an index.
 */
export const largeStores = statement(`
  CREATE OR REPLACE VIEW running_firmware AS
  SELECT device.id AS device_id, device.name AS device_name, device.site_id, device.zone,
    device.vendor, device.model, device.firmware_version, device.firmware_sha256,
    CASE WHEN device.firmware_sha256 IS NULL THEN 'unreported'
      WHEN known.id IS NULL THEN 'unknown'
      WHEN known.status = 'blocked' THEN 'blocked'
      WHEN newest.version_key > known.version_key OR known.status = 'deprecated' THEN 'outdated'
      ELSE 'current' END AS state,
    known.id AS firmware_id,
    newest.version AS latest_version
  FROM cps_devices AS device
  LEFT JOIN firmware AS known ON known.sha256 = lower(device.firmware_sha256)
  LEFT JOIN LATERAL (
    SELECT version, version_key FROM firmware AS other
    WHERE lower(other.vendor) = lower(known.vendor)
      AND lower(other.product) = lower(known.product) AND other.status <> 'blocked'
    ORDER BY other.version_key DESC LIMIT 1
  ) AS newest ON true;

  CREATE INDEX executions_of_case ON executions (case_id) WHERE case_id IS NOT NULL;
  CREATE INDEX iocs_labels ON iocs USING gin (sources, tags);
`)
