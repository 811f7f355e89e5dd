import type { EventName } from '@manara/soc-contract/events'
import { storable } from '@manara/soc-contract/storable'
import { CompiledQuery, type Kysely } from 'kysely'
import { KEPT, listsFrom } from '../../db/kept-statements.ts'
import { storableJson } from '../../db/storable.ts'
import type { Tables } from '../../db/tables.ts'
import { textArray } from '../../db/text-array.ts'
import { ACTOR_ID } from '../audit/actor-id.ts'
import type { AuditEntry } from '../audit/entry.ts'

export type WrittenEvent = { event: EventName; data: object }

const STATEMENT = `${KEPT}
  WITH audited AS (
    INSERT INTO audit_log (actor, actor_id, actor_kind, action, target, outcome, detail, before,
      after, address, request_id)
    SELECT actor, ${ACTOR_ID}, actor_kind, action, target, outcome, detail, before::jsonb, after::jsonb,
      address, request_id
    FROM ${listsFrom(1, 10)} AS entry (actor, actor_kind, action, target, outcome, detail, before,
      after, address, request_id))
  INSERT INTO outbox (event, data)
  SELECT event, data::jsonb FROM ${listsFrom(11, 2)} AS told (event, data)`

/** What a change leaves behind, in its own transaction and in one round trip. */
export async function writeAuditAndEvents(
  db: Kysely<Tables>,
  entries: AuditEntry[],
  events: WrittenEvent[],
): Promise<void> {
  if (entries.length + events.length === 0) return
  const jsonOf = jsonOnce()
  const values = [
    entries.map(({ actor }) => storable(actor)),
    entries.map(({ actor_kind }) => actor_kind),
    entries.map(({ action }) => action),
    entries.map(({ target }) => storable(target)),
    entries.map(({ outcome }) => outcome),
    entries.map(({ detail }) => detail && storable(detail)),
    entries.map(({ before }) => jsonOf(before)),
    entries.map(({ after }) => jsonOf(after)),
    entries.map(({ address }) => address),
    entries.map(({ request_id }) => request_id),
    events.map(({ event }) => event),
    events.map(({ data }) => jsonOf(data)),
  ].map(textArray)
  await db.executeQuery(CompiledQuery.raw(STATEMENT, values))
}

/** What is audited is often what is told, the very same object. */
function jsonOnce() {
  const made = new Map<object, string>()
  return (value: object | null | undefined): string | null => {
    if (!value) return null
    const known = made.get(value)
    if (known !== undefined) return known
    const json = storableJson(value)
    made.set(value, json)
    return json
  }
}
