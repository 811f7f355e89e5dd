import { hostname } from 'node:os'
import type { Http } from '@manara/kit/http'
import manifest from '../../package.json' with { type: 'json' }
import { hiddenCases } from '../core/access/reader.ts'
import { type EventDeps, eventRoutes } from '../features/events/events.routes.ts'
import { healthRoute, type SystemDeps, systemRoutes } from '../features/system/system.routes.ts'
import type { DiskRoom } from '../ports/disk-room.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'

type SystemNeeds = Pick<EventDeps, 'feed' | 'sessions' | 'keepAliveMs'> &
  Pick<SystemDeps, 'listSites' | 'isSignInReady'> & {
    logs: Pick<LogStore, 'damages' | 'state'>
    diskRoom: DiskRoom
  }

/** What the service says of itself, and the stream of what happens in it. */
export function composeSystem(
  { config, database, db, mode }: Platform,
  { listSites, isSignInReady, logs, diskRoom, ...live }: SystemNeeds,
) {
  const isDatabaseAvailable = database.isAvailable
  const system: SystemDeps = {
    ...{ mode, isDatabaseAvailable, isSignInReady },
    isLogStoreDamaged: () => logs.damages().length > 0,
    logStoreState: logs.state,
    isDatabaseReadOnly: database.isReadOnly,
    isDiskFull: () => database.isFull() || (diskRoom()?.isFull ?? false),
    version: manifest.version,
    machine: {
      deployment_mode: config.databaseUrl ? 'distributed' : 'standalone',
      hostname: hostname(),
      platform: `${process.platform}-${process.arch}`,
    },
    listSites,
  }

  return {
    rootRoutes: (http: Http) => healthRoute(http, system),
    routes(api: Http) {
      systemRoutes(api, system)
      eventRoutes(api, {
        ...live,
        ...{ mode, isDatabaseAvailable },
        hiddenFrom: (principal, among) => hiddenCases(db, principal, among),
      })
    },
  }
}
