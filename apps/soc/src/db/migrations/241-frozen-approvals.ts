import { statement } from './statement.ts'

/**
 * An approval holds what it is for, as it is shown (`steps`, `changes`) and as it is run
 * (`frozen`), and nothing of that can be changed. Every state of a playbook is kept as a revision,
 * written by a trigger so that no way of changing one leaves it out.
 */
export const frozenApprovals = statement(`
  ALTER TABLE approvals
    ADD playbook_version integer,
    ADD steps jsonb NOT NULL DEFAULT '[]',
    ADD changes jsonb NOT NULL DEFAULT '[]',
    ADD approvers text[],
    ADD frozen jsonb;
  ALTER TABLE approvals DROP CONSTRAINT approvals_kind_check;
  ALTER TABLE approvals ADD CONSTRAINT approvals_kind_check
    CHECK (kind IN ('playbook', 'step', 'request', 'proposal', 'playbook_change'));
  -- What waits has no copy of what it is for: it has to be asked for again.
  UPDATE approvals SET status = 'cancelled'
    WHERE status IN ('pending', 'approved') AND kind = 'playbook' AND execution_id IS NULL;

  CREATE FUNCTION refuse_approval_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF to_jsonb(NEW) - '{status,expires_at,decided_by,decided_at,reason,consumed_at,execution_id}'::text[]
      <> to_jsonb(OLD) - '{status,expires_at,decided_by,decided_at,reason,consumed_at,execution_id}'::text[] THEN
      RAISE EXCEPTION 'what an approval is for cannot be changed';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER approvals_frozen BEFORE UPDATE ON approvals
    FOR EACH ROW EXECUTE FUNCTION refuse_approval_change();

  ALTER TABLE executions ADD context jsonb;

  ALTER TABLE playbooks
    ADD approvers text[],
    ADD updated_by text NOT NULL DEFAULT 'system',
    ADD approved_by text;

  CREATE TABLE playbook_revisions (
    playbook_id text NOT NULL COLLATE "C",
    revision integer NOT NULL,
    version integer NOT NULL,
    definition jsonb NOT NULL,
    is_deleted boolean NOT NULL,
    changed_by text NOT NULL,
    approved_by text,
    changed_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (playbook_id, revision)
  );

  CREATE FUNCTION playbook_definition(playbook playbooks) RETURNS jsonb IMMUTABLE LANGUAGE sql AS $$
    SELECT jsonb_build_object('name', playbook.name, 'description', playbook.description,
      'enabled', playbook.enabled, 'is_critical', playbook.is_critical,
      'trigger', playbook.trigger, 'parameters', playbook.parameters, 'steps', playbook.steps,
      'tags', playbook.tags, 'timeout_s', playbook.timeout_s, 'approvers', playbook.approvers)
  $$;
  CREATE FUNCTION keep_playbook_revision() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND playbook_definition(NEW) = playbook_definition(OLD)
      AND NEW.version = OLD.version AND (NEW.deleted_at IS NULL) = (OLD.deleted_at IS NULL) THEN
      RETURN NULL;
    END IF;
    INSERT INTO playbook_revisions
      (playbook_id, revision, version, definition, is_deleted, changed_by, approved_by)
    SELECT NEW.id, coalesce(max(revision), 0) + 1, NEW.version, playbook_definition(NEW),
      NEW.deleted_at IS NOT NULL, NEW.updated_by, NEW.approved_by
    FROM playbook_revisions WHERE playbook_id = NEW.id;
    RETURN NULL;
  END $$;
  INSERT INTO playbook_revisions
    (playbook_id, revision, version, definition, is_deleted, changed_by, changed_at)
    SELECT id, 1, version, playbook_definition(playbooks), deleted_at IS NOT NULL, updated_by, updated_at
    FROM playbooks;
  CREATE TRIGGER playbooks_kept AFTER INSERT OR UPDATE ON playbooks
    FOR EACH ROW EXECUTE FUNCTION keep_playbook_revision();

  CREATE FUNCTION refuse_revision_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the history of playbooks only grows';
  END $$;
  CREATE TRIGGER playbook_revisions_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE
    ON playbook_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_revision_change();
`)
