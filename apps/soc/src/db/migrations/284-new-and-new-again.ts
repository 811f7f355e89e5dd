import { statement } from './statement.ts'

/** A value may be new several times, each after its look-back without it: a row for each of them. */
export const newAndNewAgain = statement(`
  ALTER TABLE detection_terms DROP CONSTRAINT detection_terms_pkey;
  ALTER TABLE detection_terms ADD CONSTRAINT detection_terms_spans
    UNIQUE NULLS NOT DISTINCT (rule_id, term, first_at);
`)
