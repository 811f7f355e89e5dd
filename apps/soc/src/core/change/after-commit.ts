import type { Logger } from '@manara/kit/logging'
import { sql } from 'kysely'
import type { PoolConfig } from 'pg'
import type { Database } from '../../db/database.ts'
import { createNotifications } from '../../db/notifications.ts'
import { createWorkers } from '../../db/worker.ts'
import { createRecordAudit } from '../audit/record-audit.ts'
import { sealEntries } from '../audit/seal-entries.ts'
import { createFeed } from '../live/feed.ts'
import { numberEvents } from '../live/number-events.ts'

// A word may get lost with a connection: whoever missed it looks by themselves this often.
const POLL_MS = 1_000
const TIDY_MS = 10 * 60_000
// Sealing may lag a little and costs a commit each time; a listener should not notice a delay.
const SEAL_GAP_MS = 250
const NUMBER_GAP_MS = 40
// Each pass is a commit here and at everybody who follows the events: many at once share it.
const MANY_EVENTS = 20
const NUMBER_GAP_OF_MANY_MS = 160

/** What follows a committed change: sealing the audit log, numbering events, handing them out. */
export function createAfterCommit(deps: {
  connection: PoolConfig
  database: Database
  log: Logger
}) {
  const { database, log } = deps
  const db = database.kysely
  const isReady = database.isAvailable
  const notifications = createNotifications({
    connection: deps.connection,
    isAvailable: isReady,
  })
  const feed = createFeed(db)

  const workers = createWorkers({ isReady, log })
  const sealer = workers.add({ pass: () => sealEntries(db), pollMs: POLL_MS, gapMs: SEAL_GAP_MS })
  let numbered = 0
  const numberer = workers.add({
    async pass() {
      const { count, isMoreLeft } = await numberEvents(db)
      numbered = count
      if (count > 0) notifications.tell('soc_numbered')
      return isMoreLeft
    },
    pollMs: POLL_MS,
    gapMs: () => (numbered < MANY_EVENTS ? NUMBER_GAP_MS : NUMBER_GAP_OF_MANY_MS),
  })
  const reader = workers.add({ pass: feed.pass, pollMs: POLL_MS, gapMs: 0 })
  workers.add({ pass: () => tidy(database), pollMs: TIDY_MS, gapMs: TIDY_MS })

  notifications.on('soc_written', () => {
    sealer.wake()
    numberer.wake()
  })
  notifications.on('soc_numbered', reader.wake)
  notifications.onGap(() => {
    sealer.wake()
    numberer.wake()
    reader.wake()
  })

  const wake = () => notifications.tell('soc_written')
  const audit = createRecordAudit({ database, wake, log })
  void database.onAvailable(audit.writeWaiting)
  return {
    notifications,
    feed,
    wake,
    recordAudit: audit.recordAudit,
    async start() {
      await notifications.start()
      workers.start()
    },
    async stop() {
      await workers.stop()
      await notifications.close()
    },
  }
}

/** Listeners that were away longer than a day load their lists anew; spent tokens need no entry. */
async function tidy({ kysely }: Database): Promise<boolean> {
  await sql`DELETE FROM outbox WHERE seq IS NOT NULL AND created_at < now() - interval '1 day'`.execute(
    kysely,
  )
  await sql`DELETE FROM revoked_tokens WHERE expires_at < now()`.execute(kysely)
  await sql`DELETE FROM rate_budgets WHERE ends_at < now() - interval '1 hour'`.execute(kysely)
  return false
}
