import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/**
 * In front of a statement whose text never changes and that is asked thousands of times: each
 * connection has PostgreSQL read it once. For others it would not do: a plan that is kept is made
 * without a look at the values.
 */
export const KEPT = '/* kept */ '

/**
 * The rows of such a statement: lists of texts, from the parameter of that number on. The length of a
 * list behind a SELECT is not known when it is planned. Where it is, a plan for the few rows that most
 * lists have seems cheaper than the kept one, which is for any number, and is made anew every time.
 */
export const listsFrom = (first: number, count: number): string =>
  `unnest((SELECT $${first}::text[])${Array.from({ length: count - 1 }, (_, at) => `, $${first + at + 1}::text[]`).join('')})`

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `kept_${names.size + 1}`
  names.set(text, name)
  return name
}

/** The pool as Kysely sees it, which knows no names of statements. */
export function keepingStatements(
  pool: pg.Pool,
  borrow: () => Promise<pg.PoolClient>,
): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await borrow()
      const wrapped = known.get(client) ?? wrap(client)
      known.set(client, wrapped)
      return wrapped
    },
    end: () => pool.end(),
    options: pool.options,
    // For cancelling, on a connection of its own.
    Client: (pool as unknown as PostgresPool).Client,
  } as PostgresPool
}

/** The same for every time the connection is lent: Kysely remembers it. */
function wrap(client: pg.PoolClient): PostgresPoolClient {
  return {
    query: (text: string, values: unknown[]) =>
      text.startsWith(KEPT)
        ? client.query({ name: nameOf(text), text, values })
        : client.query(text, values),
    release: (discard?: boolean) => client.release(discard),
    get processID() {
      return (client as { processID?: number }).processID
    },
  } as unknown as PostgresPoolClient
}
