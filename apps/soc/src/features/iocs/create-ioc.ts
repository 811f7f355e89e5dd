import { randomUUIDv7 } from 'node:crypto'
import { invalid } from '@manara/kit/errors'
import type { Ioc, IocCreate, IocUpdate } from '@manara/soc-contract/iocs'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { newIndicator } from './domain/too-wide.ts'
import { iocById, setIoc } from './iocs.store.ts'
import { mergeIocs } from './merge-iocs.ts'

/** A new indicator, or the one that is the same with what this one adds. */
export async function createIoc(
  change: ChangeContext,
  body: IocCreate,
): Promise<{ ioc: Ioc; isNew: boolean }> {
  const { type, value, valid_from, valid_until, sources, ...rest } = body
  const indicator = newIndicator(value, type)
  if (typeof indicator === 'string') throw invalid('value', indicator)
  if (valid_until && valid_until <= (valid_from ?? new Date())) {
    throw invalid('valid_until', 'must lie behind valid_from and behind now')
  }
  const incoming = {
    ...rest,
    ...indicator,
    id: randomUUIDv7(),
    valid_from,
    valid_until,
    sources: sources.length > 0 ? sources : [change.principal.username],
  }
  const [merged] = await mergeIocs(change.tx, JSON.stringify([incoming]), change.principal.username)
  const ioc = await iocById(change.tx, merged?.id ?? incoming.id)
  const isNew = merged?.is_new === true
  await change.audit({
    action: isNew ? 'ioc.create' : 'ioc.merge',
    target: `ioc:${ioc.id}`,
    after: ioc,
  })
  await change.publish(isNew ? 'ioc.created' : 'ioc.updated', ioc)
  return { ioc, isNew }
}

export async function updateIoc(
  change: ChangeContext,
  id: string,
  fields: IocUpdate,
): Promise<Ioc> {
  const before = await iocById(change.tx, id)
  const after = await setIoc(change.tx, id, fields)
  if (after.valid_until && after.valid_until <= after.valid_from) {
    throw invalid('valid_until', 'must lie behind valid_from')
  }
  await change.audit({ action: 'ioc.update', target: `ioc:${after.id}`, before, after })
  await change.publish('ioc.updated', after)
  return after
}

export async function deleteIoc(change: ChangeContext, asked: string) {
  const before = await iocById(change.tx, asked)
  const { id } = before
  await change.tx.deleteFrom('iocs').where('id', '=', id).execute()
  await change.audit({ action: 'ioc.delete', target: `ioc:${id}`, before })
  await change.publish('ioc.deleted', { id })
  return { deleted: true as const, id }
}
