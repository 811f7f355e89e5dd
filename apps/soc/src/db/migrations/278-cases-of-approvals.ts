import { statement } from './statement.ts'

/**
 * Which cases an approval names beside the one it is about: it is shown to those who may read them.
 * Of approvals from before it is what their texts name.
 */
export const casesOfApprovals = statement(`
  ALTER TABLE approvals ADD cases_named uuid[] NOT NULL DEFAULT '{}';
  ALTER TABLE approvals DISABLE TRIGGER approvals_frozen;
  UPDATE approvals SET cases_named = found.ids
    FROM (SELECT named.id, array_agg(DISTINCT cases.id) AS ids FROM approvals AS named
      CROSS JOIN LATERAL regexp_matches(
        concat(action, justification, parameters, steps, changes, targets),
        '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') AS said
      JOIN cases ON cases.id = said[1]::uuid GROUP BY named.id) AS found
    WHERE approvals.id = found.id;
  ALTER TABLE approvals ENABLE TRIGGER approvals_frozen;
`)
