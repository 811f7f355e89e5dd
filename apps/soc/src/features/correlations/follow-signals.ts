import type { Logger } from '@manara/kit/logging'
import { type Kysely, sql } from 'kysely'
import type { Changes, GroupedChanges } from '../../core/change/operator-change.ts'
import type { Mode } from '../../core/mode/mode.ts'
import type { Database } from '../../db/database.ts'
import type { Notifications } from '../../db/notifications.ts'
import type { Tables } from '../../db/tables.ts'
import { createWorkers } from '../../db/worker.ts'
import { joinSignals } from './join-signals.ts'

const POLL_MS = 2_000
const GAP_MS = 200
const TIDY_MS = 60 * 60_000
/** As far back as a preview looks. */
const KEPT_DAYS = 90

/** Joins signals as their records are committed, whichever process wrote them. */
export function followSignals(
  deps: {
    db: Kysely<Tables>
    database: Pick<Database, 'isAvailable'>
    mode: Mode
    log: Logger
    notifications: Pick<Notifications, 'on' | 'onGap'>
  } & Pick<Changes, 'internalWorkflow'> &
    Pick<GroupedChanges, 'isHurried'>,
) {
  const { db, database, mode, log, notifications, internalWorkflow } = deps
  const workers = createWorkers({
    isReady: () => database.isAvailable() && mode.runsPipelines,
    log,
  })
  const joiner = workers.add({
    // Looks before it begins: an empty change would tell everybody, this worker too.
    pass: async () =>
      (await isAnyDue(db)) && internalWorkflow((change) => joinSignals(change, log)),
    pollMs: POLL_MS,
    gapMs: GAP_MS,
    standsBack: deps.isHurried,
  })
  workers.add({ pass: () => forget(db), pollMs: TIDY_MS, gapMs: TIDY_MS })
  // Every change tells this one; a signal is always part of one.
  notifications.on('soc_written', joiner.wake)
  notifications.onGap(joiner.wake)
  return { start: workers.start, stop: workers.stop }
}

async function isAnyDue(db: Kysely<Tables>): Promise<boolean> {
  // In the order of its index: without it, one that is not there is looked for among all signals.
  const { rows } = await sql`
    SELECT FROM correlation_signals WHERE NOT is_done ORDER BY at LIMIT 1`.execute(db)
  return rows.length > 0
}

async function forget(db: Kysely<Tables>): Promise<boolean> {
  await sql`DELETE FROM correlation_signals
    WHERE is_done AND at < now() - ${`${KEPT_DAYS} days`}::interval`.execute(db)
  return false
}
