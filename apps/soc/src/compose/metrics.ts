import type { Http } from '@manara/kit/http'
import type { Registry } from 'prom-client'
import type { Meter } from '../core/metrics/meter.ts'
import { metricsRoute } from '../features/metrics/metrics.routes.ts'
import { readWorkLevels } from '../features/metrics/metrics.store.ts'
import { registerEngines } from '../features/metrics/register-engines.ts'
import { registerWork } from '../features/metrics/register-work.ts'
import { remember } from '../features/metrics/remember.ts'
import type { DiskRoom } from '../ports/disk-room.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'

const REMEMBERED_MS = 1_000
const PATIENCE_MS = 2_000

type MetricsNeeds = {
  registry: Registry
  meter: Meter
  logs: Pick<LogStore, 'stats' | 'damages'>
  diskRoom: DiskRoom
}

/** What Prometheus reads; the areas register their own numbers, here are those of the engines. */
export function composeMetrics({ database, db }: Platform, needs: MetricsNeeds) {
  const { registry, meter, logs, diskRoom } = needs
  const now = Date.now
  const asked = { now, forMs: REMEMBERED_MS, patienceMs: PATIENCE_MS }
  registerEngines(meter, {
    ...{ database, now, diskRoom, damages: logs.damages },
    storage: remember(logs.stats, asked),
  })
  registerWork(
    meter,
    remember(async () => {
      if (!database.isAvailable()) throw new Error('the database is away')
      return readWorkLevels(db)
    }, asked),
  )

  return { rootRoutes: (http: Http) => metricsRoute(http, { registry }) }
}
