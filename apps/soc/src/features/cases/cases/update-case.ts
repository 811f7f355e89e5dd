import { conflict } from '@manara/kit/errors'
import type { CaseDetail, CaseDetailQuery, CaseUpdate } from '@manara/soc-contract/cases'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { withOwnSpelling } from '../../../core/identity/is-named.ts'
import { changedFields, describeChange, type FieldChange } from '../domain/field-changes.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { refuseOpeningMerged, requireUsers } from './case-access.ts'
import { lockCase, note } from './cases.store.ts'
import { caseDetail } from './read-case.ts'

/** With `version` only if nobody changed the record since; without it the last write wins. */
export async function updateCase(
  alerts: AlertsOfCases,
  change: ChangeContext,
  caseId: string,
  { version, ...asked }: CaseUpdate,
  which?: CaseDetailQuery,
): Promise<CaseDetail> {
  const before = await lockCase(change.tx, caseId)
  if (version !== undefined && version !== before.version) {
    throw conflict(`version: ${version} is stale, case ${before.id} is at ${before.version}`)
  }
  const fields = await withOwnSpelling(change.tx, asked)
  const { access, ...plain } = fields
  if (access) await requireUsers(change.tx, access)
  const changes = changedFields(before, fields)
  if (changes.length === 0) return caseDetail(alerts, change.tx, before.id, which)
  if (changes.some(({ name }) => name === 'access' || name === 'tlp')) {
    const { id } = before
    const after = { id, access: access ?? before.access, tlp: fields.tlp ?? before.tlp }
    await refuseOpeningMerged(change.tx, after)
  }

  await change.tx
    .updateTable('cases')
    .set({
      ...plain,
      ...(access ? { access: JSON.stringify(access) } : {}),
      version: sql`version + 1`,
    })
    .where('id', '=', before.id)
    .execute()
  await note(change, before.id, ...changes.map(describeChange))
  await change.audit({
    action: 'case.update',
    target: `case:${before.id}`,
    before: valuesOf(changes, 'before'),
    after: valuesOf(changes, 'after'),
  })
  const after = await caseDetail(alerts, change.tx, before.id, which)
  const { timeline, observables, evidence, comments, tasks, counts, ...record } = after
  await change.publish('case.updated', record)
  return after
}

function valuesOf(changes: FieldChange[], side: 'before' | 'after') {
  return Object.fromEntries(changes.map((change) => [change.name, change[side]]))
}
