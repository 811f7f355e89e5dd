import { statement } from './statement.ts'

/**
 * What agents and people propose. Of what is proposed twice (`key`) one is open. A decision goes
 * through an approval of kind proposal, bound to the bytes that `action_sha256` stands for.
 */
export const proposals = statement(`
  CREATE TABLE proposals (
    id uuid PRIMARY KEY,
    agent_id text REFERENCES agents,
    proposed_by text NOT NULL,
    run_id uuid,
    key text NOT NULL COLLATE "C",
    kind text NOT NULL,
    title text NOT NULL,
    rationale text[] NOT NULL,
    action jsonb NOT NULL,
    action_sha256 text NOT NULL,
    effect text NOT NULL CHECK (effect IN ('records', 'acts')),
    risk text NOT NULL,
    way_back text NOT NULL,
    evidence jsonb NOT NULL,
    cites jsonb NOT NULL,
    status text NOT NULL DEFAULT 'open' CHECK (status IN
      ('open', 'accepted', 'rejected', 'undone', 'withdrawn', 'expired')),
    status_reason text,
    approval_id uuid,
    decided_by text,
    decided_at timestamptz(3),
    result jsonb,
    feedback_ids uuid[] NOT NULL DEFAULT '{}',
    undone_by text,
    undone_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL
  );
  CREATE INDEX proposals_listed ON proposals (created_at, id);
  CREATE UNIQUE INDEX proposals_open_once ON proposals (key) WHERE status = 'open';
  CREATE INDEX proposals_by_key ON proposals (key, decided_at);
  CREATE INDEX proposals_by_approval ON proposals (approval_id) WHERE approval_id IS NOT NULL;
  CREATE INDEX proposals_open ON proposals (expires_at) WHERE status = 'open';

  ALTER TABLE approvals DROP CONSTRAINT approvals_kind_check;
  ALTER TABLE approvals ADD CONSTRAINT approvals_kind_check
    CHECK (kind IN ('playbook', 'step', 'request', 'proposal'));
`)
