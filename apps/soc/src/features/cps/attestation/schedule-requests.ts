import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { DeviceRow } from '../devices/device-record.ts'
import { answerWithinMs, firstAttestation, nextAttestation } from '../domain/schedule.ts'
import { requestAttestation } from './request-attestation.ts'

const AT_ONCE = 100

type Deps = {
  db: Kysely<Tables>
  internalWorkflow: Changes['internalWorkflow']
  now(): number
  chance(): number
}

/** Asks every device whose time has come; one that has no time yet gets one. True when more wait. */
export async function scheduleRequests(
  deps: Deps,
): Promise<{ asked: number; isMoreLeft: boolean }> {
  const due = await findDue(deps)
  if (!due) return { asked: 0, isMoreLeft: false }
  return deps.internalWorkflow(async (change) => {
    const rows = await dueDevices(change.tx, deps.now()).forUpdate().skipLocked().execute()
    let asked = 0
    for (const device of rows) {
      const { attest_every_s: every, next_attestation_at: planned } = device
      if (planned) {
        const validMs = answerWithinMs(every)
        await requestAttestation(change, device, { trigger: 'schedule', now: deps.now(), validMs })
        asked += 1
      }
      const next = planned ? nextAttestation : firstAttestation
      await change.tx
        .updateTable('cps_devices')
        .set({ next_attestation_at: next(deps.now(), every, deps.chance()) })
        .where('id', '=', device.id)
        .execute()
    }
    return { asked, isMoreLeft: rows.length === AT_ONCE }
  })
}

const findDue = ({ db, now }: Deps) =>
  dueDevices(db, now()).clearSelect().select('id').limit(1).executeTakeFirst()

/** Only devices with a certificate can answer. */
const dueDevices = (db: Kysely<Tables>, now: number) =>
  db
    .selectFrom('cps_devices')
    .selectAll()
    .where('managed', '=', true)
    .where('status', '<>', 'revoked')
    .where('attest_every_s', '>', 0)
    .where((where) =>
      where.or([
        where('next_attestation_at', 'is', null),
        where('next_attestation_at', '<=', new Date(now)),
      ]),
    )
    .where(
      sql<boolean>`EXISTS (SELECT FROM cps_certificates AS own
        WHERE own.device_id = cps_devices.id AND own.status = 'active')`,
    )
    .limit(AT_ONCE)
    .$castTo<DeviceRow>()
