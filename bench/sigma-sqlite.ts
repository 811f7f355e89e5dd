import { DatabaseSync } from 'node:sqlite'
import type { FieldQuery, Pattern, Query } from '@manara/log-query/ast'
import { cidrRegex } from '@manara/log-query/cidr'
import { COMMON_FIELDS, type LogRecord, locate } from '@manara/log-query/event'
import { compileRegex } from '@manara/log-query/regex'

/**
 * The way of Zircolite: all events in one table with a column for every field, and one SELECT for
 * every rule. Columns compare without regard to case, the event number has an index.
 */
export function createSqlitePeer(fieldNames: string[]) {
  const db = new DatabaseSync(':memory:')
  const tests: ((text: string) => boolean)[] = []
  db.function('test', (test, value) =>
    value !== null && tests[Number(test)]?.(String(value)) ? 1 : 0,
  )
  const columns = new Map(fieldNames.map((name, index) => [name, `f${index}`]))
  const declared = [...COMMON_FIELDS.map(common), ...columns.values()].map(
    (column) => `${column} TEXT COLLATE NOCASE`,
  )
  db.exec(`CREATE TABLE logs (n INTEGER PRIMARY KEY, everything TEXT, ${declared.join(', ')})`)
  const eventId = columns.get('EventID')
  if (eventId) db.exec(`CREATE INDEX by_event ON logs (${eventId})`)

  const columnOf = (field: string): string => {
    const location = locate(field)
    if (location.kind === 'timestamp') throw new Error('the peer has no moments')
    if (location.kind === 'column') return common(location.column)
    return columns.get(location.name) ?? 'NULL'
  }
  const tested = (column: string, test: (text: string) => boolean) =>
    `test(${tests.push(test) - 1}, ${column})`

  const fieldSql = ({ field, match }: FieldQuery): string => {
    const column = columnOf(field)
    switch (match.kind) {
      case 'exists':
        return `${column} IS NOT NULL`
      case 'pattern':
        return patternSql(column, match)
      case 'regex':
        return tested(column, compileRegex(match))
      case 'cidr': {
        const network = new RegExp(cidrRegex(match.network) ?? '$^')
        return tested(column, (text) => network.test(text))
      }
      case 'same-as':
        if (match.how === 'equals') return `${column} = ${columnOf(match.field)}`
    }
    throw new Error(`the peer does not know ${match.kind}`)
  }
  const sqlOf = (query: Query): string => {
    switch (query.kind) {
      case 'all':
        return '1'
      case 'and':
        return balanced(query.queries.map(sqlOf), 'AND')
      case 'or':
        return balanced(query.queries.map(sqlOf), 'OR')
      case 'not':
        // A missing field makes NULL of a comparison; its opposite is true.
        return `NOT ifnull(${sqlOf(query.query)}, 0)`
      case 'text':
        return query.match.kind === 'regex'
          ? tested('everything', compileRegex(query.match))
          : `everything LIKE '%${likeOf(query.match)}%' ESCAPE '!'`
      case 'field':
        return fieldSql(query)
    }
  }

  return {
    insert(logs: LogRecord[]) {
      const names = [...columns.keys()]
      const marks = [...COMMON_FIELDS, ...names].map(() => '?').join(', ')
      const insert = db.prepare(`INSERT INTO logs VALUES (?, ?, ${marks})`)
      db.exec('BEGIN')
      for (const [n, log] of logs.entries()) {
        const { fields, message } = log
        const everything = [message, ...Object.values(fields)].join('\u0001')
        const own = names.map((name) => textOf(fields[name]))
        insert.run(n, everything, ...COMMON_FIELDS.map((name) => log[name]), ...own)
      }
      db.exec('COMMIT')
    },
    /** One SELECT: which events the rule matches. */
    prepare(query: Query): () => number[] {
      const select = db.prepare(`SELECT n FROM logs WHERE ${sqlOf(query)}`)
      return () => select.all().map(({ n }) => Number(n))
    },
    close: () => db.close(),
  }
}

const common = (column: string) => `common_${column}`

const textOf = (value: LogRecord['fields'][string] | undefined): string | null =>
  value === undefined || value === null ? null : String(value)

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

function patternSql(column: string, pattern: Pattern): string {
  const [only = '', ...more] = pattern.parts
  if (pattern.isCaseSensitive) throw new Error('the peer does not regard case')
  if (typeof only === 'string' && more.length === 0) return `${column} = ${quote(only)}`
  return `${column} LIKE '${likeOf(pattern)}' ESCAPE '!'`
}

const likeOf = ({ parts }: Pattern): string =>
  parts
    .map((part) => {
      if (typeof part !== 'string') return part.any === 'run' ? '%' : '_'
      return part.replace(/[!%_]/g, '!$&').replaceAll("'", "''")
    })
    .join('')

/** SQLite refuses expressions a thousand deep, which a long chain of OR is. */
function balanced(parts: string[], operator: 'AND' | 'OR'): string {
  const [only] = parts
  if (only === undefined) return operator === 'AND' ? '1' : '0'
  if (parts.length === 1) return `(${only})`
  const half = parts.length >> 1
  return `(${balanced(parts.slice(0, half), operator)} ${operator} ${balanced(parts.slice(half), operator)})`
}
