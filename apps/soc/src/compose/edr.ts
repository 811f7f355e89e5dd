import type { Logger } from '@manara/kit/logging'
import { createHttpEdr } from '../adapters/http-edr.ts'
import type { ChangeContext, Changes } from '../core/change/operator-change.ts'
import type { Mode } from '../core/mode/mode.ts'
import type { Reads } from '../core/mode/read-through.ts'
import type { Database } from '../db/database.ts'
import { startWorker } from '../db/worker.ts'
import { deliverActions } from '../features/edr/deliver-actions.ts'
import type { EdrDeps } from '../features/edr/edr.routes.ts'
import { actionById } from '../features/edr/edr.store.ts'
import type { AdapterState } from '../features/edr/edr-stats.ts'
import { createHostLearner } from '../features/edr/learn-hosts.ts'
import { pollInventory } from '../features/edr/poll-inventory.ts'
import { type ActionRequest, requestAction } from '../features/edr/request-action.ts'
import type { EdrClient } from '../ports/edr-client.ts'

export type EdrSettings = { url: string | undefined; secret: string | undefined; pollMs: number }

const DELIVERY_POLL_MS = 1_000
const LEARN = { flushMs: 2_000, refreshMs: 60_000 }

/** Endpoints: commands and their delivery, the inventory, and what the logs teach about hosts. */
export function composeEdr(
  deps: {
    database: Database
    mode: Mode
    log: Logger
    settings: EdrSettings
    holdSite: EdrDeps['holdSite']
  } & Changes &
    Reads,
) {
  const { database, mode, log, settings, internalWorkflow } = deps
  const db = database.kysely
  const missingSetting = settings.url ? (settings.secret ? null : 'EDR_SECRET') : 'EDR_URL'
  const ending = new AbortController()
  const client =
    settings.url && settings.secret
      ? createHttpEdr({ url: settings.url, secret: settings.secret, signal: ending.signal })
      : undefined
  const state: AdapterState = {
    name: client?.name ?? 'none',
    configured: client !== undefined,
    missing_setting: missingSetting,
    last_poll_at: null,
    last_error: null,
  }
  const adapter = { name: state.name, missingSetting }
  const isReady = database.isAvailable

  const delivery =
    client && mode.actsOutside
      ? startWorker({
          pass: () => deliverActions({ db, client, internalWorkflow }),
          isReady,
          pollMs: DELIVERY_POLL_MS,
          gapMs: 0,
          log,
        })
      : undefined
  const poller =
    client && mode.runsPipelines
      ? startWorker({
          pass: () => poll(client),
          isReady,
          pollMs: settings.pollMs,
          gapMs: settings.pollMs,
          log,
        })
      : undefined
  poller?.wake()

  async function poll(edr: EdrClient): Promise<boolean> {
    try {
      const hasComeOnline = await pollInventory({
        client: edr,
        internalWorkflow,
        now: () => new Date(),
      })
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

  const learner = createHostLearner({ log, internalWorkflow, now: Date.now, ...LEARN })
  const request: EdrDeps['requestAction'] = (change, asked) =>
    requestAction({ mode, adapter }, change, asked)
  const wakeDelivery = () => delivery?.wake()

  return {
    routes: {
      db,
      mode,
      readThrough: deps.readThrough,
      operatorChange: deps.operatorChange,
      internalWorkflow,
      adapterState: () => state,
      requestAction: request,
      wakeDelivery,
      holdSite: deps.holdSite,
    } satisfies EdrDeps,
    requestEndpointAction: async (change: ChangeContext, asked: ActionRequest) =>
      (await request(change, asked)).action,
    readEndpointAction: actionById,
    onStored: mode.runsPipelines ? learner.onStored : () => {},
    async stop() {
      ending.abort()
      await Promise.all([delivery?.stop(), poller?.stop(), learner.stop()])
    },
  }
}
