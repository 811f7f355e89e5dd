import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { Log } from './siem.ts'

/** `event` is null for one that retention took. */
export const AlertEvent = z.object({ log_id: z.string(), event: Log.nullable() })
export type AlertEvent = z.infer<typeof AlertEvent>

export const AlertEventsQuery = ListQuery.pick({ skip: true, limit: true, cursor: true })
export type AlertEventsQuery = z.infer<typeof AlertEventsQuery>
