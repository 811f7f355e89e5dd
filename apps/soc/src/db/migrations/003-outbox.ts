import { statement } from './statement.ts'

/**
 * Live events, written with the change they tell of. Ids are given before the commit, so reading
 * "id > last" would skip slow writers: \`seq\` is given afterwards, by one process at a time (the
 * holder of the row in outbox_head), and is what listeners count by.
 */
export const outbox = statement(`
  CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    seq bigint UNIQUE
  );
  CREATE INDEX outbox_unnumbered ON outbox (id) WHERE seq IS NULL;

  CREATE TABLE outbox_head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seq bigint NOT NULL
  );
  INSERT INTO outbox_head (seq) VALUES (0);
`)
