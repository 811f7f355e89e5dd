import { statement } from './statement.ts'

/**
 * Who made, changed or removed whose account: two accounts of which one made the other are not two
 * people. And the approvers of a playbook by their ids, since a name can be given again.
 */
export const twoPeople = statement(`
  CREATE TABLE account_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id uuid NOT NULL,
    username text NOT NULL,
    what text NOT NULL,
    changed_by_id uuid NOT NULL,
    changed_by text NOT NULL,
    changed_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX account_changes_by_time ON account_changes (changed_at);

  ALTER TABLE playbooks ADD approver_ids uuid[];
  ALTER TABLE approvals ADD approver_ids uuid[];
  UPDATE playbooks SET approver_ids = ARRAY(SELECT users.id FROM users
    WHERE users.username = ANY (playbooks.approvers) AND users.created_at <= playbooks.updated_at)
    WHERE approvers IS NOT NULL;
  UPDATE approvals SET approver_ids = ARRAY(SELECT users.id FROM users
    WHERE users.username = ANY (approvals.approvers) AND users.created_at <= approvals.created_at)
    WHERE approvers IS NOT NULL;

  CREATE FUNCTION remember_approver_ids() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' OR NEW.approvers IS DISTINCT FROM OLD.approvers THEN
      NEW.approver_ids := CASE WHEN NEW.approvers IS NOT NULL
        THEN ARRAY(SELECT id FROM users WHERE username = ANY (NEW.approvers)) END;
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER playbooks_remember_approvers BEFORE INSERT OR UPDATE ON playbooks
    FOR EACH ROW EXECUTE FUNCTION remember_approver_ids();
`)
