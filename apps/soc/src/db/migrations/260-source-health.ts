import { statement } from './statement.ts'

/**
 * Who sends events, counted by the hour: a source's rhythm is learnt from these, and `GET
 * /siem/sources` and `GET /siem/parsers` answer from them instead of reading the log store.
 * In `log_source_hours` the empty source counts the minutes in which somebody watched: an hour in
 * which nobody did says nothing about those who were silent then.
 */
export const sourceHealth = statement(`
  CREATE TABLE log_sources (
    source text PRIMARY KEY,
    first_received_at timestamptz(3) NOT NULL,
    last_received_at timestamptz(3) NOT NULL,
    last_event_at timestamptz(3) NOT NULL,
    is_announced boolean NOT NULL DEFAULT false,
    expected_by timestamptz(3),
    looked_at timestamptz(3),
    silent_since timestamptz(3),
    alert_id text
  );
  CREATE INDEX log_sources_by_silence ON log_sources (last_received_at);
  CREATE INDEX log_sources_to_announce ON log_sources (source) WHERE NOT is_announced;
  CREATE TABLE log_source_hours (
    source text NOT NULL,
    hour timestamptz(0) NOT NULL,
    events bigint NOT NULL,
    read_events bigint NOT NULL,
    lag_ms bigint NOT NULL,
    longest_gap_ms bigint NOT NULL,
    PRIMARY KEY (source, hour)
  );
  CREATE INDEX log_source_hours_by_hour ON log_source_hours (hour);
  CREATE TABLE log_source_minutes (
    source text NOT NULL,
    minute timestamptz(0) NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (source, minute)
  );
  CREATE TABLE log_parser_hours (
    parser text NOT NULL,
    source text NOT NULL,
    hour timestamptz(0) NOT NULL,
    events bigint NOT NULL,
    last_at timestamptz(3) NOT NULL,
    PRIMARY KEY (parser, source, hour)
  );
  CREATE INDEX log_parser_hours_by_hour ON log_parser_hours (hour);
  CREATE TABLE log_unread_examples (
    source text NOT NULL,
    place integer NOT NULL,
    log_id text NOT NULL,
    message text NOT NULL,
    received_at timestamptz(3) NOT NULL,
    PRIMARY KEY (source, place)
  );
  CREATE TABLE log_source_watch (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    beat_at timestamptz(3) NOT NULL,
    up_since timestamptz(3) NOT NULL,
    intake_silent_since timestamptz(3),
    intake_alert_id text
  );
  INSERT INTO log_source_watch (beat_at, up_since) VALUES ('epoch', 'epoch');
`)
