import { z } from 'zod'
import { Alert } from './alerts.ts'
import { ListQuery, listOf, wholeNumber } from './lists.ts'
import { Log } from './siem.ts'

/** `event` is null for one that retention took. */
export const AlertEvent = z.object({ log_id: z.string(), event: Log.nullable() })
export type AlertEvent = z.infer<typeof AlertEvent>

export const AlertEventsQuery = ListQuery.pick({ skip: true, limit: true, cursor: true }).extend({
  related: wholeNumber(1, 50)
    .optional()
    .describe('So many other alerts of its host are answered too'),
})
export type AlertEventsQuery = z.infer<typeof AlertEventsQuery>

export const AlertEvents = listOf(AlertEvent).extend({
  related: z
    .array(Alert)
    .optional()
    .describe('Where it was asked for: others of the same host, the last seen first'),
})
export type AlertEvents = z.infer<typeof AlertEvents>
