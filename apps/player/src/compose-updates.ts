import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Slot } from '@manara/player-contract/firmware'
import type { Db } from './db/open-store.ts'
import { createConfirmation } from './features/ota/confirm-update.ts'
import { openSlots } from './features/ota/slots.ts'
import { openTrustedKeys } from './features/ota/trusted-keys.ts'
import { createUpdater } from './features/ota/updater.ts'
import type { Clock } from './ports/clock.ts'
import type { UpdateSource } from './ports/update-source.ts'

export type UpdateParts = {
  updatesDir: string
  /** PEM file of the keys that the box was set up with. */
  keysFile: string
  /** What the launcher has started; undefined without one. */
  slot: Slot | undefined
  source: UpdateSource
  /** Bytes that an image may have. */
  limit: number
  confirmAfterMs: number
  /** Why the service is not to be reached, or undefined when it is. */
  whyUnreachable(): Promise<string | undefined>
  /** Stops; whoever started the service starts it again. */
  restart(): void
}

type Surroundings = {
  clock: Clock
  db: Db
  events: EventBus<PlayerEvents>
  log: Logger
  version: string
}

// Unpacked, an image is a good three times as large.
const UNPACKED = 6

/** The part of the composition that exchanges the service itself. */
export function composeUpdates(parts: UpdateParts, around: Surroundings) {
  const { clock, db, events, log, version } = around
  const { limit, restart, slot } = parts
  const slots = openSlots(parts.updatesDir, '')
  const keys = openTrustedKeys(parts.keysFile, slots.addedKeys)
  const updater = createUpdater({
    ...{ slots, slot, clock, log, restart },
    keys: keys.all,
    host: {
      version,
      platform: `${process.platform}-${process.arch}`,
      limit: { packed: limit, unpacked: limit * UNPACKED },
    },
    source: parts.source,
    onChange: (status) => events.emit('ota', status),
  })
  const confirmation = createConfirmation({
    ...{ slots, slot, keys, clock, log, restart },
    afterMs: parts.confirmAfterMs,
    whyUnwell: async () => storeProblem(db) ?? (await parts.whyUnreachable()),
    onProven: updater.proven,
  })

  return {
    updater,
    confirmation,
    start() {
      slots.clearLeftovers()
      confirmation.start()
    },
  }
}

function storeProblem(db: Db): string | undefined {
  const { quick_check } = db.prepare('PRAGMA quick_check').get() as { quick_check: string }
  return quick_check === 'ok' ? undefined : `the state store is damaged: ${quick_check}`
}
