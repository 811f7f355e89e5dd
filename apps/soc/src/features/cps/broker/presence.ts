import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import { toDevice } from '../devices/device-record.ts'
import { certificatesOf } from '../devices/devices.store.ts'

/**
 * Says who is connected: one change for all that came and went since the last. Another broker does
 * not tell: there it is who has answered, until one does not.
 */
export function createPresence(deps: {
  db: Kysely<Tables>
  internalWorkflow: Changes['internalWorkflow']
  now(): number
}) {
  const changed = new Map<string, 'online' | 'offline'>()

  return {
    note(deviceId: string, status: 'online' | 'offline') {
      changed.set(deviceId, status)
    },
    /** After a start nobody is connected yet. */
    async reset() {
      await deps.db
        .updateTable('cps_devices')
        .set({ status: 'offline' })
        .where('status', '=', 'online')
        .execute()
    },
    async pass(): Promise<boolean> {
      const noted = [...changed]
      changed.clear()
      try {
        for (const status of ['online', 'offline'] as const) {
          const ids = noted.filter(([, is]) => is === status).map(([id]) => id)
          if (ids.length > 0) await become(ids, status)
        }
      } catch (error) {
        // Nobody tells it again: it waits, unless something newer was told meanwhile.
        for (const [id, is] of noted) if (!changed.has(id)) changed.set(id, is)
        throw error
      }
      return false
    },
  }

  /** Revoked and quarantined ones stay what they are, connected or not. */
  async function become(ids: string[], status: 'online' | 'offline') {
    await deps.internalWorkflow(async ({ tx, publish }) => {
      // In the order in which everybody locks several of them.
      const held = await tx
        .selectFrom('cps_devices')
        .select('id')
        .where('id', 'in', ids)
        .where('status', '=', status === 'online' ? 'offline' : 'online')
        .orderBy('id')
        .forUpdate()
        .execute()
      if (held.length === 0) return
      const rows = await tx
        .updateTable('cps_devices')
        .set({ status, last_seen_at: new Date(deps.now()) })
        .where(
          'id',
          'in',
          held.map(({ id }) => id),
        )
        .returningAll()
        .execute()
      const certificates = await certificatesOf(
        tx,
        rows.map(({ id }) => id),
      )
      for (const row of rows) {
        await publish('device.updated', toDevice(row, certificates.get(row.id)))
      }
    })
  }
}
