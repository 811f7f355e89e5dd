import { statement } from './statement.ts'

/**
 * Each minute in which an alert was seen, and each attestation that was not in order, is a signal.
 * Triggers write them with the record itself, whoever wrote that; is_done marks those that were
 * joined with the others. An alert that repeats within the minute costs nothing.
 *
 * located_signals is a signal with where it was: the alert says its site, else the device or the
 * endpoint of its host does.
 */
export const correlations = statement(`
  CREATE TABLE correlation_rules (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    description text,
    enabled boolean NOT NULL,
    severity text NOT NULL,
    same text[] NOT NULL,
    within_minutes integer NOT NULL CHECK (within_minutes BETWEEN 1 AND 10080),
    anchor jsonb NOT NULL,
    others jsonb NOT NULL,
    is_shipped boolean NOT NULL DEFAULT false,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX correlation_rules_created ON correlation_rules (created_at, id);

  CREATE TABLE correlations (
    id uuid PRIMARY KEY,
    rule_id uuid REFERENCES correlation_rules ON DELETE SET NULL,
    key text NOT NULL COLLATE "C",
    rule_name text NOT NULL,
    title text NOT NULL,
    severity text NOT NULL,
    why text NOT NULL,
    site_id text,
    zone text,
    host text,
    first_at timestamptz(3) NOT NULL,
    last_at timestamptz(3) NOT NULL,
    evidence jsonb NOT NULL,
    evidence_count integer NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (rule_id, key)
  );
  CREATE INDEX correlations_created ON correlations (created_at, id);
  CREATE INDEX correlations_last ON correlations (last_at, id);
  CREATE INDEX correlations_evidence ON correlations USING gin (evidence jsonb_path_ops);

  CREATE TABLE correlation_signals (
    kind text NOT NULL CHECK (kind IN ('alert', 'attestation')),
    record_id uuid NOT NULL,
    minute bigint NOT NULL,
    at timestamptz(3) NOT NULL,
    is_done boolean NOT NULL DEFAULT false,
    PRIMARY KEY (record_id, minute)
  );
  CREATE INDEX correlation_signals_at ON correlation_signals (at);
  CREATE INDEX correlation_signals_due ON correlation_signals (at) WHERE NOT is_done;

  CREATE FUNCTION add_signal(kind text, record_id uuid, at timestamptz, is_done boolean)
  RETURNS void LANGUAGE sql AS $$
    INSERT INTO correlation_signals (kind, record_id, minute, at, is_done)
    VALUES (kind, record_id, floor(extract(epoch FROM at) / 60), at, is_done)
    ON CONFLICT DO NOTHING
  $$;

  CREATE FUNCTION alert_signals() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM add_signal('alert', NEW.id, NEW.first_seen_at, false);
    PERFORM add_signal('alert', NEW.id, NEW.last_seen_at, false);
    RETURN NULL;
  END $$;
  CREATE TRIGGER alerts_signalled AFTER INSERT ON alerts FOR EACH ROW
    EXECUTE FUNCTION alert_signals();
  CREATE TRIGGER alerts_signalled_again AFTER UPDATE OF first_seen_at, last_seen_at ON alerts
    FOR EACH ROW
    WHEN (date_trunc('minute', NEW.last_seen_at) <> date_trunc('minute', OLD.last_seen_at)
      OR date_trunc('minute', NEW.first_seen_at) <> date_trunc('minute', OLD.first_seen_at))
    EXECUTE FUNCTION alert_signals();

  CREATE FUNCTION attestation_signal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM add_signal('attestation', NEW.id,
      coalesce(NEW.received_at, least(NEW.expires_at, now())), false);
    RETURN NULL;
  END $$;
  CREATE TRIGGER attestations_signalled AFTER INSERT OR UPDATE OF status, verdict
    ON cps_attestations FOR EACH ROW
    WHEN (NEW.verdict IN ('warning', 'contraindicated')
      OR (NEW.verdict = 'none' AND NEW.status = 'expired'))
    EXECUTE FUNCTION attestation_signal();

  -- What was there before is looked at by previews; it raises nothing now.
  SELECT add_signal('alert', id, first_seen_at, true), add_signal('alert', id, last_seen_at, true)
  FROM alerts;

  CREATE VIEW located_signals AS
  SELECT signal.kind, signal.record_id, alert.id AS subject, signal.at, alert.title, alert.source,
    alert.severity, alert.tags, alert.mitre_techniques AS techniques, NULL::text AS verdict,
    coalesce(device.name, alert.host) AS host, coalesce(alert.site_id, device.site_id, endpoint.site_id) AS site_id, device.zone,
    device.id IS NOT NULL OR alert.source IN ('cps', 'attestation', 'discovery')
      OR alert.tags && ARRAY['cps', 'ot', 'ics'] AS is_cps
  FROM correlation_signals AS signal
  JOIN alerts AS alert ON alert.id = signal.record_id
  LEFT JOIN LATERAL (
    SELECT id, name, site_id, zone FROM cps_devices
    WHERE lower(name) = lower(alert.host) OR lower(hostname) = lower(alert.host)
    ORDER BY managed DESC, id LIMIT 1) AS device ON true
  LEFT JOIN LATERAL (
    SELECT site_id FROM edr_endpoints WHERE lower(hostname) = lower(alert.host)
    ORDER BY external_id IS NULL, id LIMIT 1) AS endpoint ON true
  WHERE signal.kind = 'alert'
  UNION ALL
  SELECT signal.kind, signal.record_id, device.id, signal.at,
    concat('Attestation of ', device.name, ': ', attestation.verdict, ', ', attestation.reason),
    'attestation',
    CASE attestation.verdict WHEN 'contraindicated' THEN 'critical' WHEN 'warning' THEN 'medium'
      ELSE 'high' END,
    ARRAY[]::text[], ARRAY[]::text[], attestation.verdict, device.name,
    device.site_id, device.zone, true
  FROM correlation_signals AS signal
  JOIN cps_attestations AS attestation ON attestation.id = signal.record_id
  JOIN cps_devices AS device ON device.id = attestation.device_id
  WHERE signal.kind = 'attestation';
  CREATE INDEX cps_devices_name ON cps_devices (lower(name));
  CREATE INDEX cps_devices_hostname ON cps_devices (lower(hostname)) WHERE hostname IS NOT NULL;

  INSERT INTO correlation_rules (id, name, description, enabled, severity, same, within_minutes,
    anchor, others, is_shipped, created_by) VALUES
  ('0c0e1a7e-0000-4000-8000-000000000001',
    'Device fails attestation around lateral movement',
    'Somebody moves through the network of a site while one of its devices no longer runs what it should.',
    true, 'critical', '{site}', 60,
    '{"kind": "attestation", "verdicts": ["contraindicated"]}',
    '[{"kind": "alert", "side": "it", "when": "around", "at_least": 1, "other_host": false, "marks": ["T1021", "T1570", "T1210", "T1563", "T1550", "T1534", "T1080", "T1072", "T1091", "T0859", "T0866", "T0867", "T0886", "lateral_movement", "attack.lateral_movement", "lateral-movement"]}]',
    true, 'system'),
  ('0c0e1a7e-0000-4000-8000-000000000002',
    'Device fails attestation after its own alert',
    'What the logs of a device or its host have shown is followed by evidence that it was changed.',
    true, 'critical', '{host}', 240,
    '{"kind": "attestation", "verdicts": ["contraindicated"]}',
    '[{"kind": "alert", "side": "cps", "when": "before", "at_least": 1, "other_host": false, "min_severity": "low", "sources": ["detection", "discovery", "ioc", "siem", "manual"]}]',
    true, 'system'),
  ('0c0e1a7e-0000-4000-8000-000000000003',
    'Unusual write to a controller after an intrusion at its site',
    'A command comes from a place that never sent one, hours after an alert on a computer of the site.',
    true, 'critical', '{site}', 480,
    '{"kind": "alert", "marks": ["unusual-write", "T0855", "T0831", "T0836"]}',
    '[{"kind": "alert", "side": "it", "when": "before", "at_least": 1, "other_host": false, "min_severity": "high"}]',
    true, 'system'),
  ('0c0e1a7e-0000-4000-8000-000000000004',
    'New device in a zone where something is wrong already',
    'An unknown machine appears beside a device that has an alert or has failed to attest.',
    true, 'high', '{zone}', 1440,
    '{"kind": "alert", "sources": ["discovery"], "marks": ["new-device"]}',
    '[{"side": "cps", "when": "around", "at_least": 1, "other_host": false, "min_severity": "high"}]',
    true, 'system'),
  ('0c0e1a7e-0000-4000-8000-000000000005',
    'Several devices of a site fail to attest',
    'One changed device may be a mistake; a second within the hour is hardly one.',
    true, 'critical', '{site}', 60,
    '{"kind": "attestation", "verdicts": ["contraindicated", "none"]}',
    '[{"kind": "attestation", "when": "before", "at_least": 1, "other_host": true, "verdicts": ["contraindicated", "none"]}]',
    true, 'system');
`)
