import type { ColumnType, Generated } from 'kysely'

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>

/** One type a table, spelled as in the migrations; wire fields keep the same names. */
export type Tables = {
  users: {
    username: string
    password_hash: string
    role: string
    full_name: string | null
    email: string | null
    disabled: Generated<boolean>
    /** Tokens issued before this moment are void: password changes and role changes move it. */
    tokens_valid_from: Timestamp
    created_at: Timestamp
    updated_at: Timestamp
  }
}
