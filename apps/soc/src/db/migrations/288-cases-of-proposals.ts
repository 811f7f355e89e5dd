import { statement } from './statement.ts'

/**
 * An approval of a proposal, and what that executed, are shown to those who may read the cases that
 * the proposal names, also where only its evidence does; what a step asks for, to those who may read
 * the cases of its execution.
 */
export const casesOfProposals = statement(`
  ALTER TABLE approvals DISABLE TRIGGER approvals_frozen;
  UPDATE approvals SET cases_named = ARRAY(SELECT unnest(cases_named) UNION SELECT unnest(found.ids))
    FROM (SELECT proposals.approval_id, array_agg(DISTINCT cases.id) AS ids FROM proposals
      CROSS JOIN LATERAL regexp_matches(concat(title, rationale, action, evidence, cites),
        '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') AS said
      JOIN cases ON cases.id = said[1]::uuid
      WHERE proposals.approval_id IS NOT NULL GROUP BY proposals.approval_id) AS found
    WHERE approvals.id = found.approval_id;

  UPDATE executions
    SET cases_named = ARRAY(SELECT unnest(executions.cases_named) UNION SELECT unnest(approvals.cases_named))
    FROM approvals
    WHERE approvals.id = executions.approval_id AND NOT executions.cases_named @> approvals.cases_named;

  UPDATE approvals
    SET cases_named = ARRAY(SELECT unnest(approvals.cases_named) UNION SELECT unnest(executions.cases_named))
    FROM executions
    WHERE approvals.kind = 'step' AND executions.id = approvals.execution_id
      AND NOT approvals.cases_named @> executions.cases_named;
  ALTER TABLE approvals ENABLE TRIGGER approvals_frozen;
`)
