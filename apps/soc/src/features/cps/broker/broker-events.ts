import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { BrokerEvents, BrokerSession, DeviceBroker } from '../../../ports/device-broker.ts'
import type { RaiseAlert } from '../attestation/device-alerts.ts'
import { markCloned } from '../attestation/mark-cloned.ts'
import { lockDevice } from '../devices/devices.store.ts'
import { admit, supersedeOlder } from './admit.ts'
import { noteDelivered, noteReceived, sendAnew, underWayTo } from './outbox.store.ts'
import type { createPresence } from './presence.ts'
import { forget, forgetTopics, remember, rememberedOf } from './sessions.store.ts'

const TELL_AGAIN_MS = 60_000

type Deps = {
  db: Kysely<Tables>
  log: Logger
  internalWorkflow: Changes['internalWorkflow']
  raiseAlert: RaiseAlert
  presence: ReturnType<typeof createPresence>
  now(): number
  /** The broker that these are the events of. */
  broker(): Pick<DeviceBroker, 'sendAgain'> | undefined
  wakeRelay(): void
  receiveEvidence: BrokerEvents['onEvidence']
  receiveSparkplug: BrokerEvents['onSparkplug']
  countRefused: BrokerEvents['onRefused']
}

/** What happens at the embedded broker, as changes of our records. */
export function createBrokerEvents(deps: Deps): BrokerEvents & { sessions(): BrokerSession[] } {
  const { db, now } = deps
  const connected = new Map<string, BrokerSession>()
  const toResume = new WeakSet<BrokerSession>()
  const told = new Map<string, number>()

  async function begin(session: BrokerSession) {
    const { deviceId, isKept } = session
    await supersedeOlder(db, session, now())
    const remembered = isKept ? await rememberedOf(db, deviceId) : undefined
    if (!isKept) await forget(db, deviceId)
    if (remembered) toResume.add(session)
    // A session without memory knows nothing of what was under way in the one before.
    else await sendAnew(db, deviceId)
    return remembered
  }

  async function resume({ deviceId }: BrokerSession) {
    for (const { message, phase } of await underWayTo(db, deviceId, now())) {
      await deps.broker()?.sendAgain(message, phase)
    }
  }

  async function tellTwoSessions({ deviceId, address }: BrokerSession, reason: string) {
    await deps.internalWorkflow(async (change) => {
      const device = await lockDevice(change.tx, deviceId)
      await markCloned(deps.raiseAlert, change, device, `${reason} (the last from ${address})`)
    })
  }

  const failed = (what: string) => (error: unknown) => deps.log.debug({ err: error }, what)

  return {
    sessions: () => [...connected.values()],
    admit: (fingerprint) => admit(db, fingerprint, now()),
    begin,
    onReady(session) {
      connected.set(session.deviceId, session)
      deps.presence.note(session.deviceId, 'online')
      // It fails while the device has not subscribed yet: then this is called again.
      if (toResume.has(session)) {
        resume(session).then(
          () => void toResume.delete(session),
          failed('requests under way to a device were not sent again yet'),
        )
      }
      deps.wakeRelay()
    },
    onGone({ deviceId }) {
      connected.delete(deviceId)
      deps.presence.note(deviceId, 'offline')
      deps.wakeRelay()
    },
    onTwoSessions(session, reason) {
      // Now and then: clones may push each other out every second.
      const key = session.deviceId
      if (now() - (told.get(key) ?? 0) < TELL_AGAIN_MS) return
      told.set(key, now())
      tellTwoSessions(session, reason).catch((error) => {
        told.delete(key)
        failed('a cloned certificate could not be told')(error)
      })
    },
    onSubscribed: ({ deviceId }, subscriptions) => remember(db, deviceId, subscriptions),
    onUnsubscribed: ({ deviceId }, topics) => forgetTopics(db, deviceId, topics),
    onReceived: (deviceId, messageId) => noteReceived(db, deviceId, messageId),
    onDelivered: (deviceId, messageId) => noteDelivered(db, deviceId, messageId, now()),
    onEvidence: deps.receiveEvidence,
    onSparkplug: deps.receiveSparkplug,
    onRefused: deps.countRefused,
  }
}
