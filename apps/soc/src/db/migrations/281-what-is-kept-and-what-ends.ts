import { statement } from './statement.ts'

/**
 * What a gateway said at its birth is needed for all that follows, also after a restart. A device is
 * asked from its certificate on: it has a time from then, and who has none is not looked for. Orders
 * that an EDR has taken do not stay under way for ever, nor those for an agent it lists no more.
 */
export const whatIsKeptAndWhatEnds = statement(`
  ALTER TABLE cps_metrics ADD COLUMN aliases jsonb NOT NULL DEFAULT '{}';

  UPDATE cps_devices
  SET next_attestation_at = now() + random() * attest_every_s * interval '1 second'
  WHERE managed AND status <> 'revoked' AND attest_every_s > 0 AND next_attestation_at IS NULL
    AND EXISTS (SELECT FROM cps_certificates AS own
      WHERE own.device_id = cps_devices.id AND own.status = 'active');

  ALTER TABLE edr_actions ADD COLUMN sent_at timestamptz(3);
  UPDATE edr_actions SET sent_at = now() WHERE status = 'sent';
  ALTER TABLE edr_endpoints ADD COLUMN is_listed boolean NOT NULL DEFAULT true;
`)
