import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { DeviceBroker } from '../../../ports/device-broker.ts'
import { claimWaiting } from './outbox.store.ts'

/** From the outbox to devices that can take it. What could not be written is resumed later. */
export async function relayRequests(deps: {
  db: Kysely<Tables>
  broker: Pick<DeviceBroker, 'reachable' | 'send'> | undefined
  now(): number
  log: Logger
}): Promise<boolean> {
  const { db, broker } = deps
  if (!broker) return false
  const { messages, isMoreLeft } = await claimWaiting(db, broker.reachable(), deps.now())
  for (const message of messages) {
    await broker.send(message).catch((error) => {
      deps.log.debug({ err: error, device: message.deviceId }, 'a request was not sent')
    })
  }
  return isMoreLeft
}
