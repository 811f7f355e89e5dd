import { statement } from './statement.ts'

/**
 * Counts of alerts are folded where something was counted since. Folding wrote every group anew, of
 * which many sources make hundreds, for the few that a storm adds to (ADR 108).
 */
export const foldWhatChanged = statement(`
  CREATE OR REPLACE FUNCTION fold_alert_counts() RETURNS void LANGUAGE sql AS $$
    WITH changed AS (
      SELECT severity, status, source FROM alert_counts
      GROUP BY severity, status, source HAVING count(*) > 1
    ), folded AS (
      DELETE FROM alert_counts AS counted USING changed
      WHERE (counted.severity, counted.status, counted.source)
        = (changed.severity, changed.status, changed.source)
      RETURNING counted.*
    )
    INSERT INTO alert_counts
    SELECT severity, status, source, sum(amount) FROM folded
    GROUP BY severity, status, source HAVING sum(amount) <> 0
  $$;
`)
