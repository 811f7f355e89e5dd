import { z } from 'zod'
import { wholeNumber } from './lists.ts'
import type { Permission } from './permissions.ts'

/** What a live event is about, and what a listener must be allowed to read to receive it. */
const EVENT_TOPICS = {
  alert: 'alerts:read',
  case: 'cases:read',
  approval: 'approvals:manage',
  execution: 'soar:read',
  rule_run: 'detections:read',
  report: 'reports:read',
  endpoint: 'edr:read',
  ioc: 'iocs:read',
  investigation: 'investigation:trigger',
  site: 'sites:read',
  agent: 'agents:read',
  finding: 'agents:read',
  proposal: 'agents:read',
  rule: 'detections:read',
  device: 'cps:read',
  attestation: 'cps:read',
  firmware: 'cps:read',
  correlation: 'cps:read',
  source: 'siem:read',
  parser: 'siem:read',
  reparse: 'siem:read',
  demonstration: 'stats:read',
} as const satisfies Record<string, Permission>

/** `alert.created`, `case.updated`, `approval.decided`, `rule_run.completed` … */
export type EventName = `${keyof typeof EVENT_TOPICS}.${string}`

export function permissionToHear(event: string): Permission | undefined {
  const topic = event.slice(0, event.indexOf('.'))
  return Object.hasOwn(EVENT_TOPICS, topic)
    ? EVENT_TOPICS[topic as keyof typeof EVENT_TOPICS]
    : undefined
}

/** Sent by browsers when they connect again: the id of the last event they saw. */
export const EventStreamHeaders = z.object({
  'last-event-id': wholeNumber(0, 999_999_999_999).optional(),
})
