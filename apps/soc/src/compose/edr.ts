import type { Http } from '@manara/kit/http'
import { createHttpEdr } from '../adapters/http-edr.ts'
import type { ChangeContext } from '../core/change/operator-change.ts'
import { refuseCollectors } from '../features/edr/collectors.ts'
import { type EdrDeps, edrRoutes } from '../features/edr/edr.routes.ts'
import { actionById, endpointNamed } from '../features/edr/edr.store.ts'
import { followEdr } from '../features/edr/follow-edr.ts'
import { createHostLearner } from '../features/edr/learn-hosts.ts'
import { type ActionRequest, requestAction } from '../features/edr/request-action.ts'
import { credentialOf } from '../features/secrets/credential.ts'
import type { Platform } from './area.ts'

const LEARN = { flushMs: 2_000, refreshMs: 60_000 }

const HOST_SIEVE = new URL('../features/edr/host-sieve.ts', import.meta.url)

/** Endpoints: commands and their delivery, the inventory, and what the logs teach about hosts. */
export function composeEdr(platform: Platform, { holdSite }: Pick<EdrDeps, 'holdSite'>) {
  const { config, database, db, mode, log, operatorChange, internalWorkflow, readThrough } =
    platform
  const { url, secret, pollMs } = config.edr
  const missingSetting = url ? (secret ? null : 'EDR_SECRET') : 'EDR_URL'
  const ending = new AbortController()
  const client =
    url && secret
      ? createHttpEdr({ url, secret: credentialOf(platform, secret, url), signal: ending.signal })
      : undefined
  const isReady = database.isAvailable
  const edr = followEdr({
    db,
    mode,
    log,
    isReady,
    client,
    missingSetting,
    pollMs,
    internalWorkflow,
  })
  const learner = createHostLearner({ log, internalWorkflow, now: Date.now, ...LEARN })
  const adapter = { name: edr.adapterState().name, missingSetting }
  const request: EdrDeps['requestAction'] = (change, asked) =>
    requestAction({ mode, adapter }, change, asked)

  return {
    requestEndpointAction: async (change: ChangeContext, asked: ActionRequest) => {
      const { action, hasEffect } = await request(change, asked)
      return { ...action, has_effect: hasEffect }
    },
    readEndpointAction: actionById,
    refuseCollectors,
    findEndpoint: (idOrName: string) => endpointNamed(db, idOrName),
    learnHosts: learner.flush,
    sieve: HOST_SIEVE,
    onPicked: mode.runsPipelines ? learner.onStored : () => {},
    routes: (api: Http) =>
      edrRoutes(api, {
        ...{ db, mode, readThrough, operatorChange, internalWorkflow },
        adapterState: edr.adapterState,
        requestAction: request,
        wakeDelivery: edr.wakeDelivery,
        holdSite,
      }),
    start: edr.start,
    async stop() {
      ending.abort()
      await Promise.all([edr.stop(), learner.stop()])
    },
  }
}
