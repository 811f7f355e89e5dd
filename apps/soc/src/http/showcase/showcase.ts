import { alerts } from './alerts.ts'
import { cases } from './cases.ts'
import { logs, rules } from './detections.ts'
import { devices, endpoints, sites } from './places.ts'

/** What `dummy` shows while there is no database: one story, the same at every start, read-only. */
export const showcase = { sites, endpoints, devices, rules, logs, alerts, cases }

export type Showcase = typeof showcase
