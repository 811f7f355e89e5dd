import type { Http } from '@manara/kit/http'
import { Health, RuntimeTruth, Topology } from '@manara/soc-contract/system'
import { type Mode, runtimeTruth } from '../../core/mode/mode.ts'
import { authenticated, open } from '../../http/permissions.ts'
import type { LogStore } from '../../ports/log-store.ts'

export type SystemDeps = {
  mode: Mode
  version: string
  isDatabaseAvailable(): boolean
  isDatabaseReadOnly(): boolean
  /** Whether somebody could sign in now. */
  isSignInReady(): boolean
  isLogStoreDamaged(): boolean
  logStoreState: LogStore['state']
  isDiskFull(): boolean
  machine: Pick<Topology, 'deployment_mode' | 'hostname' | 'platform'>
  listSites(): Promise<Topology['sites']>
}

const tags = ['system']

/** Outside the prefix and public: says how the service is, even when the database is away. */
export function healthRoute(http: Http, deps: SystemDeps) {
  http.get(
    '/health',
    { ...open(), schema: { tags, summary: 'Health', response: { 200: Health } } },
    (): Health => {
      const database = databaseState(deps)
      const isReady = deps.isSignInReady()
      const logStore = logStoreHealth(deps)
      const isFull = deps.isDiskFull()
      const isOk = database === 'up' && isReady && logStore === 'ok' && !isFull
      return {
        status: isOk ? 'ok' : 'degraded',
        version: deps.version,
        mode: deps.mode.name,
        ready: isReady,
        database,
        log_store: logStore,
        disk: isFull ? 'full' : 'ok',
      }
    },
  )
}

function databaseState(deps: SystemDeps): Health['database'] {
  if (!deps.isDatabaseAvailable()) return 'down'
  return deps.isDatabaseReadOnly() ? 'read_only' : 'up'
}

function logStoreHealth(deps: SystemDeps): Health['log_store'] {
  const state = deps.logStoreState()
  if (state === 'down') return 'down'
  if (deps.isLogStoreDamaged()) return 'damaged'
  return state === 'up' ? 'ok' : state
}

export function systemRoutes(http: Http, deps: SystemDeps) {
  http.get(
    '/system/mode',
    {
      ...authenticated(),
      schema: { tags, summary: 'Runtime truth', response: { 200: RuntimeTruth } },
    },
    () => runtimeTruth(deps.mode, deps.isDatabaseAvailable()),
  )

  http.get(
    '/system/topology',
    { ...authenticated(), schema: { tags, summary: 'Topology', response: { 200: Topology } } },
    async (): Promise<Topology> => ({
      ...deps.machine,
      mode: deps.mode.name,
      runtime_mode: deps.mode.name,
      sites: await deps.listSites(),
    }),
  )
}
