import { statement } from './statement.ts'

/**
 * How far a request got on its way, so that a restart goes on with the same packet: what the device
 * has taken is not sent again. Subscriptions outlive the broker that they were made at.
 */
export const cpsDelivery = statement(`
  CREATE SEQUENCE cps_message_ids MINVALUE 1 MAXVALUE 65535 CYCLE;
  ALTER TABLE cps_outbox
    ADD COLUMN message_id integer,
    ADD COLUMN phase text NOT NULL DEFAULT 'waiting'
      CHECK (phase IN ('waiting', 'published', 'received', 'delivered'));
  DROP INDEX cps_outbox_due;
  CREATE INDEX cps_outbox_due ON cps_outbox (next_attempt_at) WHERE phase = 'waiting';

  CREATE TABLE cps_sessions (
    device_id uuid PRIMARY KEY REFERENCES cps_devices ON DELETE CASCADE,
    subscriptions jsonb NOT NULL
  );
`)
