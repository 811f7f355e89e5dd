import { statement } from './statement.ts'

/**
 * A second factor is an app's codes (TOTP), whose seed is sealed with the key file, or passkeys, of
 * which only public keys are kept. Recovery codes are hashes, gone when used. A flow is what was
 * begun and waits for its second half: a challenge is answered once, by whom it was given to.
 * A proof is a session whose owner has just shown again who they are, good for one grave change.
 */
export const secondFactors = statement(`
  CREATE TABLE totp_seeds (
    user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    sealed_seed text NOT NULL,
    last_step bigint NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE passkeys (
    id text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    last_used_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX passkeys_of_user ON passkeys (user_id);
  CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash text NOT NULL,
    PRIMARY KEY (user_id, code_hash)
  );
  CREATE TABLE sign_in_flows (
    id_hash text PRIMARY KEY,
    kind text NOT NULL,
    data jsonb NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX sign_in_flows_by_end ON sign_in_flows (expires_at);
  CREATE TABLE session_proofs (
    jti uuid PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );
  CREATE TABLE sign_in_policy (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    second_factor_roles text[] NOT NULL
  );
  INSERT INTO sign_in_policy (second_factor_roles) VALUES ('{}');
`)
