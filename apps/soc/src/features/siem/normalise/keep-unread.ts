import { storable } from './fields.ts'
import type { Arrival, Incoming, NormalisedLog } from './normalise.ts'

/** The field that says why nothing was taken out of an event. */
export const UNREAD = '_unread'

/** What takes too long to read, or fails, is kept as it came: nothing is lost, and it is found by its words. */
export function keepUnread(
  incoming: Incoming,
  arrival: Arrival,
  why: 'work_limit' | 'failed' = 'work_limit',
): NormalisedLog {
  const { known = {}, text, object, peer, index, extra, facts } = incoming
  const whole = known.message ?? text ?? JSON.stringify(object ?? {})
  return {
    id: known.id ?? arrival.newId(),
    at: known.at ?? arrival.receivedAt,
    source: known.source ?? index ?? arrival.way,
    host: known.host ?? peer ?? null,
    severity: known.severity ?? 'info',
    message: storable(whole),
    user: null,
    process: null,
    event_code: known.event_code ?? null,
    src_ip: null,
    dst_ip: null,
    fields: { ...extra, ...facts, [UNREAD]: why },
    received_at: arrival.receivedAt,
    original: null,
  }
}
