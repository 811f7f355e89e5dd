import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Mode } from '../../core/mode/mode.ts'
import type { Tables } from '../../db/tables.ts'
import { createWorkers } from '../../db/worker.ts'
import type { EdrClient } from '../../ports/edr-client.ts'
import { deliverActions } from './deliver-actions.ts'
import type { AdapterState } from './edr-stats.ts'
import { pollInventory } from './poll-inventory.ts'

const DELIVERY_POLL_MS = 1_000

/** Delivers commands to the EDR and reads its inventory; without a client it only says so. */
export function followEdr(
  deps: {
    db: Kysely<Tables>
    mode: Mode
    log: Logger
    isReady(): boolean
    client: EdrClient | undefined
    /** The setting without which there is no client. */
    missingSetting: string | null
    pollMs: number
  } & Pick<Changes, 'internalWorkflow'>,
) {
  const { db, mode, log, client, internalWorkflow, pollMs } = deps
  const state: AdapterState = {
    name: client?.name ?? 'none',
    configured: client !== undefined,
    missing_setting: deps.missingSetting,
    last_poll_at: null,
    last_error: null,
  }
  const workers = createWorkers({ isReady: deps.isReady, log })
  const delivery =
    client && mode.actsOutside
      ? workers.add({
          pass: () => deliverActions({ db, client, internalWorkflow }),
          pollMs: DELIVERY_POLL_MS,
          gapMs: 0,
        })
      : undefined
  const poller =
    client && mode.runsPipelines
      ? workers.add({ pass: () => poll(client), pollMs, gapMs: pollMs })
      : undefined

  async function poll(edr: EdrClient): Promise<boolean> {
    try {
      const now = () => new Date()
      const hasComeOnline = await pollInventory({ client: edr, internalWorkflow, now })
      state.last_poll_at = new Date().toISOString()
      state.last_error = null
      if (hasComeOnline) delivery?.wake()
    } catch (error) {
      const { message } = error as Error
      if (state.last_error !== message) log.warn({ err: error }, 'the EDR could not be asked')
      state.last_error = message
    }
    return false
  }

  return {
    adapterState: () => state,
    wakeDelivery: () => delivery?.wake(),
    start() {
      workers.start()
      poller?.wake()
    },
    stop: workers.stop,
  }
}
