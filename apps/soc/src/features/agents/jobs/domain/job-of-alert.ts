import type { Severity } from '@manara/soc-contract/severity'

const PRIORITIES: Record<Severity, number> = { critical: 4, high: 3, medium: 2, low: 1, info: 0 }

export const priorityOf = (severity: unknown): number => PRIORITIES[severity as Severity] ?? 2

/** Host and user, if there is a host: what concerns the same is worked together in a storm. */
export const groupOf = ({ host, user }: { host?: unknown; user?: unknown }): string | null =>
  typeof host === 'string' && host !== ''
    ? `${host.toLowerCase()}|${typeof user === 'string' ? user.toLowerCase() : ''}`
    : null

/** What a new alert means for an agent that looks at each. */
export const jobOfAlert = (alert: Record<string, unknown>) => ({
  key: `alert:${alert.id}`,
  input: { alert_id: alert.id },
  priority: priorityOf(alert.severity),
  group: groupOf(alert),
})

/** A list that came with an event. */
export const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value : [])
