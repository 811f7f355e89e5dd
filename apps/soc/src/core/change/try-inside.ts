import { sql } from 'kysely'
import { isCollision, isConnectionFailure } from '../../db/connection-failure.ts'
import type { ChangeContext } from './operator-change.ts'

/**
 * A part of a change that may fail without the rest: what it wrote, audited and told goes with it.
 * Answers what was thrown, if anything; when the database is away, or others were in the way, all of
 * the change fails, and may be tried again.
 */
export async function tryInside(
  change: ChangeContext,
  work: (change: ChangeContext) => Promise<void>,
): Promise<{ thrown: unknown } | undefined> {
  const told: (() => Promise<void>)[] = []
  await sql`SAVEPOINT part`.execute(change.tx)
  try {
    await work({
      ...change,
      publish: async (...given) => void told.push(() => change.publish(...given)),
      audit: async (entry) => void told.push(() => change.audit(entry)),
    })
  } catch (thrown) {
    if (isConnectionFailure(thrown) || isCollision(thrown)) throw thrown
    await sql`ROLLBACK TO SAVEPOINT part`.execute(change.tx)
    return { thrown }
  }
  await sql`RELEASE SAVEPOINT part`.execute(change.tx)
  for (const tell of told) await tell()
  return undefined
}
