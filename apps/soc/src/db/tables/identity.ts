import type { ColumnType, Generated, RawBuilder } from 'kysely'
import type { BigSerial, Json, Timestamp } from './columns.ts'

type FlowEnd = ColumnType<Date, RawBuilder<Date>, RawBuilder<Date>>

export type IdentityTables = {
  users: {
    /** Never given again, unlike the name. */
    id: Generated<string>
    username: string
    password_hash: string
    role: string
    full_name: string | null
    email: string | null
    disabled: Generated<boolean>
    /** Tokens carry it: a new stamp voids all that were issued before, to the instant. */
    session_stamp: Generated<string>
    /** The one token that outlives a change of stamp: of the session that changed the password. */
    kept_jti: string | null
    /** Who signs in at the identity provider is known by these two. */
    oidc_issuer: string | null
    oidc_subject: string | null
    created_at: Timestamp
    updated_at: Timestamp
  }
  /** Who made, changed or removed whose account; only grows. */
  account_changes: {
    id: BigSerial
    user_id: string
    username: string
    what: string
    changed_by_id: string
    changed_by: string
    changed_at: Timestamp
  }
  api_keys: {
    id: Generated<string>
    username: string
    name: string
    key_hash: string
    hint: string
    scopes: string[]
    created_by: string
    expires_at: ColumnType<Date | null, Date | null, Date | null>
    created_at: Timestamp
  }
  sign_in_places: { user_id: string; place: string; last_at: Timestamp }
  totp_seeds: { user_id: string; sealed_seed: string; last_step: string; created_at: Timestamp }
  passkeys: {
    /** The credential's own id, base64url. */
    id: string
    user_id: string
    name: string
    public_key: Buffer
    counter: string
    transports: string[]
    last_used_at: ColumnType<Date | null, Date | null | undefined, RawBuilder<Date>>
    created_at: Timestamp
  }
  recovery_codes: { user_id: string; code_hash: string }
  sign_in_flows: { id_hash: string; kind: string; data: Json<object>; expires_at: FlowEnd }
  session_proofs: { jti: string; expires_at: FlowEnd }
  sign_in_policy: { second_factor_roles: string[] }
  revoked_tokens: { jti: string; username: string; expires_at: Timestamp }
}
