import type { ChangeContext } from '../../core/change/operator-change.ts'
import { lockAlert } from './alerts.store.ts'
import { updateAlert } from './update-alert.ts'

/** Somebody has looked at it. Whoever has set another status meanwhile knows better. */
export async function markTriaged(change: ChangeContext, id: string): Promise<void> {
  const { status } = await lockAlert(change.tx, id)
  if (status === 'new') await updateAlert(change, id, { status: 'triaged' })
}
