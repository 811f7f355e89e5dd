import { isDeepStrictEqual } from 'node:util'
import { AppError, invalid } from '@manara/kit/errors'
import type { Hunt, HuntCreate, HuntFields, HuntUpdate } from '@manara/soc-contract/hunts'
import { Severity } from '@manara/soc-contract/severity'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Principal } from '../../../core/identity/principal.ts'
import { isMaker } from '../../../core/identity/sharing.ts'
import { readQuery } from '../search/domain/selection.ts'
import { huntById, insertHunt, setHunt } from './hunts.store.ts'

type Checked = Pick<HuntFields, 'query' | 'sharing_mode' | 'shared_with_roles'>

function check({ query, sharing_mode, shared_with_roles }: Checked, now: number) {
  readQuery(query, now, 'query')
  if (sharing_mode === 'roles' && shared_with_roles.length === 0) {
    throw invalid('shared_with_roles', 'must name a role when sharing_mode is roles')
  }
}

/** In any letter case, as it is searched; one that no event can have would never find anything. */
function checkSeverity({ severity }: Partial<HuntFields>) {
  if (typeof severity !== 'string') return
  if (!Severity.safeParse(severity.toLowerCase()).success) {
    throw invalid('severity', `must be one of ${Severity.options.join(', ')}`)
  }
}

export async function createHunt(
  change: ChangeContext,
  body: HuntCreate,
  now: number,
): Promise<Hunt> {
  check(body, now)
  checkSeverity(body)
  const hunt = await insertHunt(change.tx, body, change.principal.username)
  await change.audit({ action: 'hunt.create', target: `hunt:${hunt.id}`, after: hunt })
  return hunt
}

/** Who it is shared with may improve a hunt; whom it is shared with is its maker's to say. */
export async function updateHunt(
  change: ChangeContext,
  id: string,
  body: HuntUpdate,
  now: number,
): Promise<Hunt> {
  const before = await huntById(change.tx, id, change.principal, { lock: true })
  const fields = Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as Partial<HuntFields>
  if ('sharing_mode' in fields || 'shared_with_roles' in fields) onlyMaker(before, change.principal)
  check({ ...before, ...fields }, now)
  checkSeverity(fields)
  if (isDeepStrictEqual({ ...before, ...fields }, before)) return before
  const after = await setHunt(change.tx, before.id, fields)
  await change.audit({ action: 'hunt.update', target: `hunt:${after.id}`, before, after })
  return after
}

export async function deleteHunt(change: ChangeContext, huntId: string) {
  const hunt = await huntById(change.tx, huntId, change.principal, { lock: true })
  onlyMaker(hunt, change.principal)
  await change.tx.deleteFrom('hunts').where('id', '=', hunt.id).execute()
  await change.audit({ action: 'hunt.delete', target: `hunt:${hunt.id}`, before: hunt })
  return { deleted: true as const, id: hunt.id }
}

function onlyMaker(hunt: Hunt, principal: Principal) {
  if (isMaker(principal, hunt) || principal.role === 'admin') return
  throw new AppError(403, `only ${hunt.created_by} or an admin may share or delete this hunt`)
}
