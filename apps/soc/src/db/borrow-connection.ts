import type pg from 'pg'

const NONE_LEFT = '53300'
/** So long nobody asks the server for more than it had. */
const CONTENT_MS = 60_000

/**
 * Connections of the pool, as many as the server has for us: who is refused a further one waits for
 * one that others have. `onRefused` is told how many those are.
 */
export function borrowing(pool: pg.Pool, onRefused: (most: number) => void) {
  const wanted = pool.options.max
  let refusedUntil = 0

  async function borrow(): Promise<pg.PoolClient> {
    if (performance.now() > refusedUntil) pool.options.max = wanted
    try {
      return await pool.connect()
    } catch (error) {
      if ((error as { code?: string }).code !== NONE_LEFT || pool.totalCount === 0) throw error
      if (performance.now() > refusedUntil) onRefused(pool.totalCount)
      refusedUntil = performance.now() + CONTENT_MS
      pool.options.max = pool.totalCount
      return borrow()
    }
  }
  return borrow
}
