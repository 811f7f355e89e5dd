import type { Http } from '@manara/kit/http'
import { SiemStats } from '@manara/soc-contract/siem-ingest'
import { requires } from '../../http/permissions.ts'
import { readStats, type StatsDeps } from './read-stats.ts'

export function siemStatsRoutes(http: Http, deps: StatsDeps) {
  http.get(
    '/siem/stats',
    {
      ...requires('siem:read'),
      schema: {
        tags: ['siem'],
        summary: 'What is stored, and what comes in by which way and from which source',
        response: { 200: SiemStats },
      },
    },
    () => readStats(deps),
  )
}
