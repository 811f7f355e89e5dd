import { statement } from './statement.ts'

/**
 * How many events of a rule's source were seen: a rule that never had data is not one that never
 * fired. Thousands of rules have some hundred sources, so they are counted by source. source_query is
 * what a Sigma rule's logsource means; of one that was imported before it was kept nothing is known.
 */
export const ruleSources = statement(`
  ALTER TABLE detection_rules ADD source_query text;
  ALTER TABLE detection_rules ADD source_key text GENERATED ALWAYS AS (
    CASE WHEN sigma_source IS NOT NULL AND source_query IS NULL THEN NULL
    ELSE md5(coalesce(source_query, '') || E'\\x1f' || coalesce(source, '') || E'\\x1f'
      || coalesce(host, '') || E'\\x1f' || coalesce(match_severity, '')) END) STORED;

  CREATE TABLE detection_sources (
    source_key text PRIMARY KEY,
    events bigint NOT NULL,
    last_event_at timestamptz(3) NOT NULL
  );
`)
