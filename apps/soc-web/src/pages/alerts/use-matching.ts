import type { Alert } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Severity } from '@manara/soc-contract/severity'
import type { DashboardStats } from '@manara/soc-contract/stats'
import { reads, session } from '../../here.ts'
import { useRead } from '../../parts/use-read.ts'
import { withQuery } from '../../stores/api.ts'
import { type AlertView, filterOf, isOfAllOpen, sumOf } from './view.ts'

export type OpenCounts = Record<Severity, number>

/** How many match by now, while the rows stand still: asked on its own, by the one question that tells. */
export function useMatching(view: AlertView) {
  // Not beside other alerts, where the numbers by severity would be taken for theirs.
  const isOfStats = session.may('stats:read') && isOfAllOpen(view)
  const path = isOfStats
    ? '/dashboard/stats'
    : withQuery('/alerts', { ...filterOf(view), limit: 1 })
  const stats = useRead<DashboardStats>(isOfStats ? path : null, { on: ['alert'] })
  const counted = useRead<ListOf<Alert>>(isOfStats ? null : path, { on: ['alert'] })
  const counts: OpenCounts | undefined = isOfStats ? stats.data?.alerts_by_severity : undefined
  return {
    counts,
    known: counts ? sumOf(counts, view.severity) : counted.data?.total,
    countSoon: () => reads.soon(path),
    countNow: () => void reads.renewOne(path),
  }
}
