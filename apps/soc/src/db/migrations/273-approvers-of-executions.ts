import { statement } from './statement.ts'

/** Those whom the playbook names decide about its steps too, as they were named when it began. */
export const approversOfExecutions = statement(`
  ALTER TABLE executions ADD approvers text[], ADD approver_ids uuid[];
  UPDATE executions
    SET approvers = playbooks.approvers, approver_ids = playbooks.approver_ids
    FROM playbooks
    WHERE playbooks.id = executions.playbook_id AND playbooks.approvers IS NOT NULL
      AND executions.status IN ('pending', 'running', 'pending_approval');
`)
