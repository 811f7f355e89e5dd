import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

type Counts = Map<string, number>
/** All of 30 days that were there before `until`. */
type Counted = { counts: Counts; until: string; at: number }

const FRESH_MS = 10 * 60_000
const OLDEST_MS = 60 * 60_000

/**
 * Alerts of 30 days by technique. A million of them take a second to count: that is kept, and counted
 * anew beside the answer every ten minutes while somebody asks; what came since is counted each time.
 */
export function createAlertsByTechnique(db: Kysely<Tables>, now = () => performance.now()) {
  let known: Counted | undefined
  let counting: Promise<Counted> | undefined

  function countAnew(): Promise<Counted> {
    counting ??= countAll(db, now)
      .then((counted) => {
        known = counted
        return counted
      })
      .finally(() => {
        counting = undefined
      })
    return counting
  }

  return async (): Promise<Counts> => {
    const age = known ? now() - known.at : Number.POSITIVE_INFINITY
    const before = known && age <= OLDEST_MS ? known : await countAnew()
    // When it fails, the next who asks tries again.
    if (before === known && age > FRESH_MS && age <= OLDEST_MS) void countAnew().catch(() => {})
    const sum = new Map(before.counts)
    const since = await count(db, sql`created_at >= ${before.until}::timestamptz`)
    for (const [technique, alerts] of since) sum.set(technique, (sum.get(technique) ?? 0) + alerts)
    return sum
  }
}

async function countAll(db: Kysely<Tables>, now: () => number): Promise<Counted> {
  const at = now()
  // A minute back, since those that are being written have times before now.
  const { rows } = await sql<{ until: string }>`
    SELECT (now() - interval '1 minute')::text AS until`.execute(db)
  const until = rows[0]?.until ?? ''
  const span = sql`created_at < ${until}::timestamptz AND created_at >= now() - interval '30 days'`
  return { counts: await count(db, span), until, at }
}

async function count(db: Kysely<Tables>, span: ReturnType<typeof sql>): Promise<Counts> {
  const { rows } = await sql<{ technique: string; alerts: number }>`
    SELECT technique, count(*)::integer AS alerts
    FROM alerts, unnest(mitre_techniques) AS technique
    WHERE ${span} AND severity_rank > 0
    GROUP BY technique`.execute(db)
  return new Map(rows.map(({ technique, alerts }) => [technique, alerts]))
}
