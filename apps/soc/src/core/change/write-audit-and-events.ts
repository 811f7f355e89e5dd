import type { EventName } from '@manara/soc-contract/events'
import { type Kysely, sql } from 'kysely'
import { storable, storableJson } from '../../db/storable.ts'
import type { Tables } from '../../db/tables.ts'
import type { AuditEntry } from '../audit/entry.ts'

export type WrittenEvent = { event: EventName; data: object }

// The parameters of a statement are numbered with 16 bits: a change of thousands takes several.
const AT_ONCE = 1_000

/** What a change leaves behind, in its own transaction and, as a rule, in one round trip. */
export async function writeAuditAndEvents(
  db: Kysely<Tables>,
  entries: AuditEntry[],
  events: WrittenEvent[],
): Promise<void> {
  for (let at = 0; at < Math.max(entries.length, events.length); at += AT_ONCE) {
    const some = insertOf(entries.slice(at, at + AT_ONCE), events.slice(at, at + AT_ONCE))
    await some.execute(db)
  }
}

// Plain values: reading the rows out of one JSON parameter takes half as long again.
function insertOf(entries: AuditEntry[], events: WrittenEvent[]) {
  const audited = sql`
    INSERT INTO audit_log (actor, actor_kind, action, target, outcome, detail, before, after, address, request_id)
    VALUES ${sql.join(entries.map(entryValues))}`
  const told = sql`INSERT INTO outbox (event, data) VALUES ${sql.join(events.map(eventValues))}`
  if (events.length === 0) return audited
  if (entries.length === 0) return told
  return sql`WITH audited AS (${audited}) ${told}`
}

function entryValues(entry: AuditEntry) {
  const { actor, actor_kind, action, target, outcome, detail, address, request_id } = entry
  return sql`(${storable(actor)}, ${actor_kind}, ${action}, ${storable(target)}, ${outcome},
    ${detail === undefined ? null : storable(detail)}, ${storableJson(entry.before)}::jsonb,
    ${storableJson(entry.after)}::jsonb, ${address ?? null}, ${request_id ?? null})`
}

function eventValues({ event, data }: WrittenEvent) {
  return sql`(${event}, ${storableJson(data)}::jsonb)`
}
