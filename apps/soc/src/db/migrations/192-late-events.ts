import { statement } from './statement.ts'

/**
 * A late event may move the hit of a rule about several events, or of what is new, to another event:
 * the one that was claimed before is superseded, and its alert goes over. first_at is the time of the
 * event in which a value was new. A stream that was not seen for a while is taken over by others.
 */
export const lateEvents = statement(`
  ALTER TABLE detection_hits
    ADD event_at timestamptz(3),
    ADD is_superseded boolean NOT NULL DEFAULT false;
  CREATE INDEX detection_hits_by_event ON detection_hits (rule_id, event_at)
    WHERE NOT is_superseded;
  ALTER TABLE detection_terms ADD first_at timestamptz(3);
  ALTER TABLE detection_streams ADD seen_at timestamptz(3) NOT NULL DEFAULT now();
`)
