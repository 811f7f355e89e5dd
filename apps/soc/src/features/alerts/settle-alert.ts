import { type AlertUpdate, SETTLED } from '@manara/soc-contract/alerts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { updateAlert } from './update-alert.ts'

/** For a pipeline whose reason to alert is gone; one that is settled, or was removed, stays so. */
export async function settleAlert(change: ChangeContext, id: string, fields: AlertUpdate) {
  const open = await change.tx
    .selectFrom('alerts')
    .select('id')
    .where('id', '=', id)
    .where('status', 'not in', SETTLED)
    .executeTakeFirst()
  if (open) await updateAlert(change, id, fields)
}
