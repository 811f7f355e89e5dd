import type { ColumnType } from 'kysely'

/** Filled in by a trigger: the user who had the name beside it; null for agents, playbooks and former users. */
export type UserId = ColumnType<string | null, never, never>
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
/** bigint arrives as text: JavaScript numbers would lose digits. */
export type BigSerial = ColumnType<string, never, never>
/** Written as JSON text, since `pg` takes an array for a PostgreSQL array; read as what it holds. */
export type Json<T> = ColumnType<T, string, string>
