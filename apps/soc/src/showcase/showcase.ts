import { alerts } from './alerts.ts'
import { cases } from './cases.ts'
import { correlations } from './correlations.ts'
import { logs, rules } from './detections.ts'
import { firmware } from './firmware.ts'
import { hunts } from './hunts.ts'
import { iocs } from './iocs.ts'
import { attestations, devices, endpoints, sites } from './places.ts'
import { approvals, executions, playbooks } from './response.ts'

/** What `dummy` shows while there is no database: one story, the same at every start, read-only. */
export const showcase = {
  sites,
  endpoints,
  devices,
  attestations,
  rules,
  logs,
  hunts,
  alerts,
  cases,
  playbooks,
  executions,
  approvals,
  iocs,
  firmware,
  correlations,
}

export type Showcase = typeof showcase
