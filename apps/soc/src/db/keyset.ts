import { invalid } from '@manara/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { isRecordId } from './record-id.ts'

type Kind = 'time' | 'number' | 'id'
type Value = string | number

/** What a list is ordered by, down to a column that is unique: else pages would overlap. */
export type Sort = {
  name: string
  columns: Record<string, Kind>
  order: 'asc' | 'desc'
}

/** By a time, and by id among those of the same moment. */
export const inTime = (column: string, order: 'asc' | 'desc'): Sort => ({
  name: column,
  order,
  columns: { [column]: 'time', id: 'id' },
})

/** Where the page after `row` begins. Rows that come or go elsewhere do not move it. */
export function cursorAfter(sort: Sort, row: object): string {
  const values = Object.keys(sort.columns).map((column) => {
    const value = (row as Record<string, unknown>)[column]
    return value instanceof Date ? value.toISOString() : value
  })
  return Buffer.from(JSON.stringify([sort.name, sort.order, ...values])).toString('base64url')
}

/** The condition that leaves only the rows behind the cursor, if there is one. */
export function behind(sort: Sort, cursor: string | undefined): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const values = parse(sort, cursor)
  const columns = sql.join(Object.keys(sort.columns).map((column) => sql.ref(column)))
  const given = sql.join(
    Object.values(sort.columns).map((kind, index) => sql`${values[index]}::${TYPES[kind]}`),
  )
  return sql<boolean>`(${columns}) ${sql.raw(sort.order === 'asc' ? '>' : '<')} (${given})`
}

export function ordered(sort: Sort): RawBuilder<unknown> {
  const direction = sql.raw(sort.order)
  return sql.join(Object.keys(sort.columns).map((column) => sql`${sql.ref(column)} ${direction}`))
}

const TYPES: Record<Kind, RawBuilder<unknown>> = {
  time: sql`timestamptz`,
  number: sql`bigint`,
  id: sql`uuid`,
}

const IS_KIND: Record<Kind, (value: unknown) => boolean> = {
  time: (value) => typeof value === 'string' && isOwnSpelling(value),
  number: (value) => Number.isSafeInteger(value),
  id: (value) => typeof value === 'string' && isRecordId(value),
}

// PostgreSQL would refuse a thirteenth month, or a year of six digits, with an error of its own.
function isOwnSpelling(time: string): boolean {
  const date = new Date(time)
  return /^\d{4}-/.test(time) && !Number.isNaN(date.getTime()) && date.toISOString() === time
}

function parse(sort: Sort, cursor: string): Value[] {
  const [name, order, ...values] = decode(cursor)
  if (name !== sort.name || order !== sort.order) {
    throw invalid('cursor', 'belongs to another sort or order')
  }
  const kinds = Object.values(sort.columns)
  const fits = kinds.every((kind, index) => IS_KIND[kind](values[index]))
  if (!fits || values.length !== kinds.length) throw unknownCursor()
  return values as Value[]
}

function decode(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parts)) return parts
  } catch {
    // Told below, together with JSON that is no list.
  }
  throw unknownCursor()
}

const unknownCursor = () => invalid('cursor', 'is not one that this list gave out')
