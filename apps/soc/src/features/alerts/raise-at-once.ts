import type { AlertCreate } from '@manara/soc-contract/alerts'
import { storable } from '@manara/soc-contract/storable'
import { CompiledQuery, type Kysely } from 'kysely'
import { ACTOR_ID } from '../../core/audit/actor-id.ts'
import type { AtOnce, GroupMember } from '../../core/change/at-once.ts'
import { KEPT, listsFrom } from '../../db/kept-statements.ts'
import type { Tables } from '../../db/tables.ts'
import { textArray } from '../../db/text-array.ts'
import { ALERT_COLUMNS, type AlertRow, toAlert, withoutRaw } from './alert-record.ts'
import { mergeEqual } from './domain/merge-equal.ts'
import { asGiven, INSERT_OR_COUNT, PARAMETERS } from './insert-or-count.ts'
import type { Raised } from './raise-alert.ts'

/** As JavaScript writes a time. */
const iso = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Of a new alert; whoever posted the same beside it is counted after it. */
const toldAs = (name: string) =>
  name === 'occurrence_count' ? '1' : name.endsWith('_at') ? iso(name) : name

/** What `withoutRaw(toAlert(row))` makes of its row, in the words of PostgreSQL. */
const RECORD = ALERT_COLUMNS.filter((name) => name !== 'raw' && name !== 'severity_rank')
  .map((name) => `'${name}', ${toldAs(name)}`)
  .join(', ')

type Posted = { hash: string; id: string; turn: number; after: number; member: GroupMember }
type Written = (posted: Posted) => string | undefined

/** Of each who posted one: which alert, how many of the same came before and after it, and who it was. */
const POSTED: Record<string, Written> = {
  hash: ({ hash }) => hash,
  own_id: ({ id }) => id,
  turn: ({ turn }) => String(turn),
  later: ({ after }) => String(after),
  actor: ({ member }) => storable(member.caller.actor),
  actor_kind: ({ member }) => member.caller.actor_kind,
  address: ({ member }) => member.caller.address,
  request_id: ({ member }) => member.caller.request_id,
}

/**
 * The alerts, and of each who posted one the audit row and the event. To open again what was settled
 * takes more than that, so the whole statement is refused then (migration 268).
 */
const STATEMENT = `${KEPT}
  WITH written AS (${INSERT_OR_COUNT}),
  counted AS (
    SELECT written.*, posted.*, id = own_id::uuid AND turn = '0' AS is_new,
      occurrence_count - later::integer AS count, ${iso('last_seen_at')} AS seen
    FROM ${listsFrom(PARAMETERS + 1, Object.keys(POSTED).length)}
      WITH ORDINALITY AS posted (${Object.keys(POSTED).join(', ')}, place)
    JOIN written ON dedup_hash = hash
  ), shown AS (
    SELECT place, actor, actor_kind, address, request_id, id, is_new, is_reopened, seen, count,
      CASE WHEN is_new THEN jsonb_build_object(${RECORD}) END AS record
    FROM counted ORDER BY place
  ), audited AS (
    INSERT INTO audit_log (actor, actor_id, actor_kind, action, target, outcome, after, address,
      request_id)
    SELECT actor, ${ACTOR_ID}, actor_kind,
      CASE WHEN is_reopened THEN refuse_reopening() WHEN is_new THEN 'alert.create'
        ELSE 'alert.repeat' END,
      'alert:' || id, 'done', coalesce(record, jsonb_build_object('occurrence_count', count)),
      address, request_id
    FROM shown
  ), told AS (
    INSERT INTO outbox (event, data)
    SELECT CASE WHEN is_new THEN 'alert.created' ELSE 'alert.repeated' END,
      coalesce(record,
        jsonb_build_object('id', id, 'occurrence_count', count, 'last_seen_at', seen))
    FROM shown
  )
  SELECT ${ALERT_COLUMNS.join(', ')} FROM written`

/**
 * Many alerts of many callers in one statement. Answers nothing, and has done nothing, when one of
 * them was settled or is posted with another status at the same time: those are raised step by step.
 */
export async function raiseAtOnce(
  db: Kysely<Tables>,
  members: readonly GroupMember[],
  alerts: AlertCreate[],
): Promise<AtOnce<Raised> | undefined> {
  const merged = mergeEqual(alerts)
  if (!merged) return undefined
  const { given, values } = asGiven(merged)
  const posted = merged.flatMap(({ hash, places }, which) =>
    places.map((place, turn) => ({
      ...{ hash, turn, after: places.length - turn - 1, place },
      ...{ id: given[which]?.id as string, member: members[place] as GroupMember },
    })),
  )
  const by = Object.values(POSTED).map((text) => textArray(posted.map(text)))
  const asked = db.executeQuery<AlertRow>(CompiledQuery.raw(STATEMENT, [...values, ...by]))
  const rows = await asked.then((answer) => answer.rows, refusedReopening)
  if (!rows) return undefined
  const found = new Map(rows.map((row) => [row.dedup_hash, row]))
  const answers: AtOnce<Raised> = { done: [], told: [] }
  for (const { hash, id, turn, after, place, member } of posted) {
    const row = found.get(hash)
    if (!row) throw new Error(`alert ${hash} was not stored`)
    const occurrence_count = row.occurrence_count - after
    const alert = member.inContext(() => toAlert({ ...row, occurrence_count }))
    const isNew = row.id === id && turn === 0
    answers.done[place] = { alert, isNew, isReopened: false }
    answers.told.push(
      isNew
        ? { event: 'alert.created', data: withoutRaw(alert) }
        : {
            event: 'alert.repeated',
            data: { id: row.id, occurrence_count, last_seen_at: alert.last_seen_at },
          },
    )
  }
  return answers
}

/** As migration 268 says it. */
const REFUSED = 'SO268'

function refusedReopening(error: unknown): undefined {
  if ((error as { code?: string }).code !== REFUSED) throw error
}
