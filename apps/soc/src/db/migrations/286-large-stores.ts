import { statement } from './statement.ts'

/**
 * What took seconds with a hundred thousand devices, half a million executions and a million
 * indicators: the newest firmware of each product is found once, not for each device anew, what
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
  LEFT JOIN (
    SELECT DISTINCT ON (lower(vendor), lower(product))
      lower(vendor) AS vendor, lower(product) AS product, version, version_key
    FROM firmware WHERE status <> 'blocked'
    ORDER BY lower(vendor), lower(product), version_key DESC
  ) AS newest ON newest.vendor = lower(known.vendor) AND newest.product = lower(known.product);

  CREATE INDEX executions_of_case ON executions (case_id) WHERE case_id IS NOT NULL;
  CREATE INDEX iocs_labels ON iocs USING gin (sources, tags);
`)
