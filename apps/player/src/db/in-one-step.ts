import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Db } from './open-store.ts'

/** All of it is on disk when this returns, or nothing is and it throws. */
export function inOneStep<Value>(db: Db, change: () => Value): Value {
  db.exec('BEGIN IMMEDIATE')
  try {
    const value = change()
    db.exec('COMMIT')
    return value
  } catch (error) {
    // A full disk has ended it already, and to end it again would hide why.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * The row that a statement with RETURNING has written. It is committed after its last row, and
 * `get` does not ask for more than the first: it would not hear that a full disk has refused it.
 */
export function written(statement: StatementSync, ...values: SQLInputValue[]): unknown {
  const [row] = statement.all(...values)
  return row
}
