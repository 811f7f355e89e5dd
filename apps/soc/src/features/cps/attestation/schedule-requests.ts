import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { DeviceRow } from '../devices/device-record.ts'
import { answerWithinMs, nextAttestation } from '../domain/schedule.ts'
import { requestAttestation } from './request-attestation.ts'

const AT_ONCE = 100

type Deps = {
  db: Kysely<Tables>
  internalWorkflow: Changes['internalWorkflow']
  now(): number
  chance(): number
}

/** Asks every device whose time has come. True when more wait. */
export async function scheduleRequests(
  deps: Deps,
): Promise<{ asked: number; isMoreLeft: boolean }> {
  const due = await findDue(deps)
  if (!due) return { asked: 0, isMoreLeft: false }
  return deps.internalWorkflow(async (change) => {
    const rows = await dueDevices(change.tx, deps.now()).forUpdate().skipLocked().execute()
    for (const device of rows) {
      const { attest_every_s: every } = device
      const validMs = answerWithinMs(every)
      await requestAttestation(change, device, { trigger: 'schedule', now: deps.now(), validMs })
      await change.tx
        .updateTable('cps_devices')
        .set({ next_attestation_at: nextAttestation(deps.now(), every, deps.chance()) })
        .where('id', '=', device.id)
        .execute()
    }
    return { asked: rows.length, isMoreLeft: rows.length === AT_ONCE }
  })
}

const findDue = ({ db, now }: Deps) =>
  dueDevices(db, now()).clearSelect().select('id').limit(1).executeTakeFirst()

/** Only devices with a certificate have a time: only they can answer. */
const dueDevices = (db: Kysely<Tables>, now: number) =>
  db
    .selectFrom('cps_devices')
    .selectAll()
    .where('next_attestation_at', '<=', new Date(now))
    .where('status', '<>', 'revoked')
    .where('attest_every_s', '>', 0)
    .orderBy('next_attestation_at')
    .limit(AT_ONCE)
    .$castTo<DeviceRow>()
