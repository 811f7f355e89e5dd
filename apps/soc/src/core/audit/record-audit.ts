import type { Logger } from '@manara/kit/logging'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import { writeAuditAndEvents } from '../change/write-audit-and-events.ts'
import type { AuditEntry } from './entry.ts'

export type RecordAudit = (entries: AuditEntry[]) => Promise<void>

const MOST_KEPT = 10_000

/**
 * For what happens outside a change: sign-ins, refusals, previews. While the database is away the
 * entries wait in memory for its return, with the time they happened in their detail.
 */
export function createRecordAudit(deps: {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  wake(): void
  log: Logger
  now?: () => Date
}) {
  const { database, log, now = () => new Date() } = deps
  const waiting: AuditEntry[] = []

  function keep(entries: AuditEntry[]) {
    for (const entry of entries) {
      log.warn({ audit: { ...entry, before: undefined, after: undefined } }, 'audit entry waits')
      const detail = [entry.detail, `at ${now().toISOString()}, written later`]
      waiting.push({ ...entry, detail: detail.filter(Boolean).join('; ') })
    }
    waiting.splice(0, Math.max(0, waiting.length - MOST_KEPT))
  }

  /** For when the database is back. What happens meanwhile is written with what happens next. */
  async function writeWaiting() {
    const entries = waiting.splice(0)
    try {
      await writeAuditAndEvents(database.kysely, entries, [])
    } catch (error) {
      if (isConnectionFailure(error)) {
        waiting.unshift(...entries)
        throw error
      }
      // The log has them as well; an entry that cannot be written must not keep the service down.
      log.error({ err: error, entries: entries.length }, 'audit entries could not be written')
    }
  }

  async function recordAudit(entries: AuditEntry[]): Promise<void> {
    if (!database.isAvailable()) return keep(entries)
    try {
      if (waiting.length > 0) await writeWaiting()
      await writeAuditAndEvents(database.kysely, entries, [])
      deps.wake()
    } catch (error) {
      if (!isConnectionFailure(error)) throw error
      keep(entries)
    }
  }

  return { recordAudit, writeWaiting }
}
