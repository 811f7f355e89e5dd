import type { Http } from '@manara/kit/http'
import type { Slot } from '@manara/player-contract/firmware'
import { storeProblem } from '../db/store-problem.ts'
import { afterAdhan } from '../features/ota/after-adhan.ts'
import { createConfirmation } from '../features/ota/confirm-update.ts'
import { otaRoutes } from '../features/ota/ota.routes.ts'
import { openSlots } from '../features/ota/slots.ts'
import { thisHost } from '../features/ota/this-host.ts'
import { openTrustedKeys } from '../features/ota/trusted-keys.ts'
import { createUpdater } from '../features/ota/updater.ts'
import type { UpdateSource } from '../ports/update-source.ts'
import type { Outside } from './area.ts'

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

/** What exchanges the service itself. */
export function composeUpdates(
  { clock, db, events, log, version }: Outside,
  parts: UpdateParts,
  { isAnnouncing }: { isAnnouncing(): boolean },
) {
  const { slot } = parts
  const restart = () => afterAdhan({ clock, isAnnouncing }, parts.restart)
  const slots = openSlots(parts.updatesDir, '')
  const keys = openTrustedKeys(parts.keysFile, slots.addedKeys)
  const updater = createUpdater({
    ...{ slots, slot, clock, log, restart },
    keys: keys.all,
    host: thisHost(version, parts.limit),
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
    status: updater.status,
    isUpdating: () => updater.status().in_progress,
    settled: confirmation.settled,
    routes: (api: Http) => otaRoutes(api, { updater }),
    start() {
      try {
        slots.clearLeftovers()
      } catch (error) {
        // A disk that is read-only keeps them.
        log.warn({ err: error }, 'what is left of an update')
      }
      confirmation.start()
    },
    stop: confirmation.stop,
  }
}
