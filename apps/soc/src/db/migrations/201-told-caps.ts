import { statement } from './statement.ts'

/** What was found beyond a cap is not kept one by one, but it is counted and told. */
export const toldCaps = statement(`
  ALTER TABLE iocs ADD unrecorded_sightings bigint NOT NULL DEFAULT 0;
  ALTER TABLE detection_rules
    ADD unrecorded_hits bigint NOT NULL DEFAULT 0,
    ADD capped_at timestamptz(3);
  ALTER TABLE detection_runs ADD unrecorded_count bigint NOT NULL DEFAULT 0;
`)
