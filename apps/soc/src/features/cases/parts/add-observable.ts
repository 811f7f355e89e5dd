import { randomUUIDv7 } from 'node:crypto'
import type { Observable, ObservableCreate } from '@manara/soc-contract/cases'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { toObservable } from '../cases/case-record.ts'
import { familyOf, lockCase } from '../cases/cases.store.ts'
import { recordPart } from './record-part.ts'

/** The same type and value again is the one there is, with what is new about it. */
export async function addObservable(
  change: ChangeContext,
  caseId: string,
  body: ObservableCreate,
): Promise<{ observable: Observable; isNew: boolean }> {
  const { id: case_id } = await lockCase(change.tx, caseId)
  const known = await sameObservable(change, case_id, body)
  return known
    ? { observable: await enrich(change, case_id, known, body), isNew: false }
    : { observable: await insert(change, case_id, body), isNew: true }
}

/** Values of most types are the same in any letter case; paths and keys may not be. */
export async function sameObservable(
  { tx }: ChangeContext,
  caseId: string,
  { type, value }: Pick<ObservableCreate, 'type' | 'value'>,
): Promise<Observable | undefined> {
  const row = await tx
    .selectFrom('case_observables')
    .selectAll()
    .where('case_id', '=', sql<string>`ANY(${await familyOf(tx, caseId)}::uuid[])`)
    .where(sql<boolean>`lower(type) = lower(${type})`)
    .where(
      IN_ANY_CASE.has(type.toLowerCase())
        ? sql<boolean>`lower(value) = lower(${value})`
        : sql<boolean>`value = ${value}`,
    )
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row && toObservable(row)
}

const IN_ANY_CASE = new Set(
  'ip cidr domain hostname host email md5 sha1 sha256 hash cve fqdn'.split(' '),
)

async function enrich(
  change: ChangeContext,
  caseId: string,
  known: Observable,
  body: ObservableCreate,
): Promise<Observable> {
  const tags = [...new Set([...known.tags, ...body.tags])]
  const context = { ...body.context, ...known.context }
  const source = known.source ?? body.source ?? null
  const isSame =
    tags.length === new Set(known.tags).size &&
    source === known.source &&
    Object.keys(context).length === Object.keys(known.context).length
  if (isSame) return known
  const row = await change.tx
    .updateTable('case_observables')
    .set({ tags, source, context: JSON.stringify(context) })
    .where('id', '=', known.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const observable = toObservable(row)
  await recordPart(change, caseId, 'observable.update', {
    said: `observable seen again: ${known.type} ${known.value}`,
    before: known,
    after: observable,
  })
  return observable
}

async function insert(change: ChangeContext, case_id: string, body: ObservableCreate) {
  const row = await change.tx
    .insertInto('case_observables')
    .values({
      ...body,
      id: randomUUIDv7(),
      case_id,
      context: JSON.stringify(body.context),
      created_by: change.principal.username,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const observable = toObservable(row)
  await recordPart(change, case_id, 'observable.add', {
    said: `observable added: ${body.type} ${body.value}`,
    after: observable,
  })
  return observable
}
