import type { SQLInputValue } from 'node:sqlite'
import type { Backup } from '@manara/player-contract/backup'
import type { Db } from '../../db/open-store.ts'
import { ofOwner } from './domain/copied.ts'

type Table = Backup['tables'][string]

export function readTable(db: Db, name: string): Table {
  const select = db.prepare(`SELECT * FROM "${name}" WHERE ${ofOwner(name)}`)
  const columns = select.columns().map((column) => column.name)
  const rows = select.all() as Record<string, unknown>[]
  return { columns, rows: rows.map((row) => columns.map((column) => row[column])) }
}

/** Throws at the first row that the table does not take. */
export function fillTable(db: Db, name: string, { columns, rows }: Table) {
  const own = readTable(db, name).columns
  const unknown = columns.find((column) => !own.includes(column))
  if (unknown !== undefined) throw new Error(`there is no column ${unknown}`)
  const names = columns.map((column) => `"${column}"`)
  const insert = db.prepare(`INSERT INTO "${name}" (${names}) VALUES (${columns.map(() => '?')})`)
  for (const row of rows) insert.run(...(row as SQLInputValue[]))
}
