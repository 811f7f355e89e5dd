import { statement } from './statement.ts'

/**
 * Devices with their certificates and what they attested. A device that only the logs have shown is
 * not managed: it has no certificate and is known by what it was seen with.
 *
 * What the audit log takes up as attestation_request is what goes to the device: the trigger puts it
 * into the outbox in the same transaction, whoever wrote it. A row stays there until the device has
 * answered or the request has expired; next_attempt_at is also the claim of who sends it.
 */
export const cps = statement(`
  CREATE TABLE cps_authority (
    id integer PRIMARY KEY CHECK (id = 1),
    certificate_pem text NOT NULL,
    sealed_key text NOT NULL,
    crl_number bigint NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );

  CREATE TABLE cps_devices (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    device_type text NOT NULL,
    vendor text,
    model text,
    site_id text,
    zone text,
    purdue_level real,
    managed boolean NOT NULL,
    status text NOT NULL DEFAULT 'offline'
      CHECK (status IN ('online', 'offline', 'quarantined', 'revoked')),
    trust_status text NOT NULL DEFAULT 'unknown'
      CHECK (trust_status IN ('trusted', 'suspect', 'untrusted', 'unknown')),
    firmware_name text,
    firmware_version text,
    firmware_sha256 text,
    hostname text,
    addresses text[] NOT NULL DEFAULT '{}',
    mac_addresses text[] NOT NULL DEFAULT '{}',
    protocols text[] NOT NULL DEFAULT '{}',
    discovery_key text UNIQUE,
    sparkplug_node text UNIQUE,
    attest_every_s integer NOT NULL DEFAULT 3600 CHECK (attest_every_s >= 0),
    next_attestation_at timestamptz(3),
    last_attestation_at timestamptz(3),
    reference jsonb,
    boot_count bigint,
    boot_seed text,
    missed integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    last_seen_at timestamptz(3)
  ) WITH (fillfactor = 80);
  CREATE INDEX cps_devices_created ON cps_devices (created_at, id);
  CREATE INDEX cps_devices_updated ON cps_devices (updated_at, id);
  CREATE INDEX cps_devices_site ON cps_devices (site_id);
  CREATE INDEX cps_devices_firmware ON cps_devices (firmware_sha256);
  CREATE INDEX cps_devices_addresses ON cps_devices USING gin (addresses);
  CREATE INDEX cps_devices_due ON cps_devices (next_attestation_at)
    WHERE next_attestation_at IS NOT NULL;

  CREATE TABLE cps_certificates (
    serial text PRIMARY KEY,
    device_id uuid NOT NULL REFERENCES cps_devices,
    fingerprint text NOT NULL UNIQUE,
    key_sha256 text NOT NULL,
    certificate_pem text NOT NULL,
    not_before timestamptz(3) NOT NULL,
    not_after timestamptz(3) NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'revoked')),
    revoked_at timestamptz(3),
    reason text,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX cps_certificates_device ON cps_certificates (device_id, created_at);
  CREATE INDEX cps_certificates_revoked ON cps_certificates (revoked_at) WHERE status = 'revoked';

  CREATE TABLE cps_enrolment_codes (
    code_hash text PRIMARY KEY,
    device_id uuid NOT NULL REFERENCES cps_devices ON DELETE CASCADE,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3)
  );
  CREATE INDEX cps_enrolment_codes_device ON cps_enrolment_codes (device_id);

  CREATE TABLE cps_attestations (
    id uuid PRIMARY KEY,
    device_id uuid NOT NULL REFERENCES cps_devices ON DELETE CASCADE,
    nonce text NOT NULL UNIQUE,
    trigger text NOT NULL CHECK (trigger IN ('schedule', 'manual')),
    requested_by text NOT NULL,
    requested_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    status text NOT NULL DEFAULT 'requested'
      CHECK (status IN ('requested', 'delivered', 'answered', 'expired', 'cancelled')),
    delivered_at timestamptz(3),
    received_at timestamptz(3),
    verdict text NOT NULL DEFAULT 'none'
      CHECK (verdict IN ('affirming', 'warning', 'contraindicated', 'none')),
    reason text NOT NULL,
    claims jsonb,
    evidence bytea,
    certificate_serial text
  ) WITH (fillfactor = 70);
  CREATE INDEX cps_attestations_requested ON cps_attestations (requested_at, id);
  CREATE INDEX cps_attestations_device ON cps_attestations (device_id, requested_at, id);
  CREATE INDEX cps_attestations_open ON cps_attestations (expires_at)
    WHERE status IN ('requested', 'delivered');

  CREATE TABLE cps_outbox (
    attestation_id uuid PRIMARY KEY REFERENCES cps_attestations ON DELETE CASCADE,
    device_id uuid NOT NULL,
    payload jsonb NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3) NOT NULL DEFAULT now()
  ) WITH (fillfactor = 50);
  CREATE INDEX cps_outbox_due ON cps_outbox (next_attempt_at);
  CREATE INDEX cps_outbox_device ON cps_outbox (device_id);

  CREATE FUNCTION cps_relay_request() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO cps_outbox (attestation_id, device_id, payload, expires_at)
    VALUES ((NEW.after->>'id')::uuid, (NEW.after->>'device_id')::uuid, NEW.after,
      (NEW.after->>'expires_at')::timestamptz);
    RETURN NULL;
  END $$;
  CREATE TRIGGER cps_relay_request AFTER INSERT ON audit_log FOR EACH ROW
    WHEN (NEW.action = 'attestation_request' AND NEW.outcome = 'done')
    EXECUTE FUNCTION cps_relay_request();
`)
