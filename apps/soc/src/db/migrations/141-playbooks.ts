import { statement } from './statement.ts'

/**
 * `shipped_hash` is of the file a row was last made from: a new file replaces it unless somebody
 * edited it. A deleted shipped playbook stays as a mark, else the next start would bring it back.
 */
export const playbooks = statement(`
  CREATE TABLE playbooks (
    id text PRIMARY KEY COLLATE "C",
    version integer NOT NULL,
    name text NOT NULL,
    description text,
    enabled boolean NOT NULL,
    is_critical boolean NOT NULL,
    trigger jsonb NOT NULL,
    parameters jsonb NOT NULL,
    steps jsonb NOT NULL,
    tags text[] NOT NULL,
    timeout_s integer NOT NULL,
    origin text NOT NULL CHECK (origin IN ('shipped', 'user')),
    is_edited boolean NOT NULL DEFAULT false,
    shipped_hash text,
    run_count integer NOT NULL DEFAULT 0,
    finished_count integer NOT NULL DEFAULT 0,
    success_count integer NOT NULL DEFAULT 0,
    last_run_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at timestamptz(3)
  );

  -- How far alert events were looked at for playbooks they trigger; its holder looks on.
  CREATE TABLE playbook_trigger_head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seq bigint NOT NULL
  );
  INSERT INTO playbook_trigger_head (seq) SELECT seq FROM outbox_head;
`)
