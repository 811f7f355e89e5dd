import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './columns.ts'

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
    created_at: Timestamp
    updated_at: Timestamp
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
  revoked_tokens: { jti: string; username: string; expires_at: Timestamp }
}
