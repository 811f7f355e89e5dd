import { statement } from './statement.ts'

/**
 * Triggers tell every process at once (channel soc_identity) whose credentials changed, whoever
 * changed them: a colleague's process, or a person with psql.
 */
export const identity = statement(`
  CREATE TABLE users (
    username text PRIMARY KEY,
    password_hash text NOT NULL,
    role text NOT NULL,
    full_name text,
    email text,
    disabled boolean NOT NULL DEFAULT false,
    session_stamp uuid NOT NULL DEFAULT gen_random_uuid(),
    kept_jti uuid,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX users_one_spelling ON users (lower(username));

  CREATE TABLE api_keys (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    username text NOT NULL REFERENCES users ON DELETE CASCADE,
    name text NOT NULL,
    key_hash text NOT NULL UNIQUE,
    hint text NOT NULL,
    scopes text[] NOT NULL,
    created_by text NOT NULL,
    expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX api_keys_of_user ON api_keys (username);

  CREATE TABLE revoked_tokens (
    jti uuid PRIMARY KEY,
    username text NOT NULL,
    expires_at timestamptz(3) NOT NULL
  );

  CREATE TABLE signing_keys (
    purpose text PRIMARY KEY,
    secret text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );

  CREATE FUNCTION tell_identity_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('soc_identity', coalesce(NEW.username, OLD.username));
    RETURN NULL;
  END $$;
  CREATE TRIGGER users_changed AFTER UPDATE OR DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION tell_identity_changed();
  CREATE TRIGGER api_keys_changed AFTER UPDATE OR DELETE ON api_keys
    FOR EACH ROW EXECUTE FUNCTION tell_identity_changed();
  CREATE TRIGGER tokens_revoked AFTER INSERT ON revoked_tokens
    FOR EACH ROW EXECUTE FUNCTION tell_identity_changed();
`)
