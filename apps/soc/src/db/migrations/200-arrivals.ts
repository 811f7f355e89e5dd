import { statement } from './statement.ts'

/**
 * How far the followers of arriving events are, each for itself, and stretches of arrivals that one
 * of them still has to read from the log store. `store` is whose: all who share one take pages of the
 * same backlog, an embedded one is read by its own process alone.
 */
export const arrivals = statement(`
  ALTER TABLE detection_streams RENAME TO arrival_streams;
  ALTER TABLE arrival_streams ADD follower text NOT NULL DEFAULT 'rules';
  ALTER TABLE arrival_streams DROP CONSTRAINT detection_streams_pkey;
  ALTER TABLE arrival_streams ADD PRIMARY KEY (follower, stream);

  CREATE TABLE arrival_backlog (
    id uuid PRIMARY KEY,
    follower text NOT NULL,
    store text NOT NULL,
    received_from timestamptz(3) NOT NULL,
    received_to timestamptz(3) NOT NULL,
    lease_token uuid,
    lease_until timestamptz(3)
  );
  CREATE INDEX arrival_backlog_next ON arrival_backlog (follower, store, received_from);
`)
