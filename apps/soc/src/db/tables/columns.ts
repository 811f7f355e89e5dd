import type { ColumnType } from 'kysely'

export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
/** bigint arrives as text: JavaScript numbers would lose digits. */
export type BigSerial = ColumnType<string, never, never>
/** Written as JSON text, since `pg` takes an array for a PostgreSQL array; read as what it holds. */
export type Json<T> = ColumnType<T, string, string>
