import type { DetectionRule, RuleCreate } from '@manara/soc-contract/detections'

/** A draft with what only a stored rule has. */
export function draftOf(body: RuleCreate, id: string | undefined, now: number): DetectionRule {
  const at = new Date(now).toISOString()
  return {
    ...body,
    id: id ?? 'draft',
    external_id: null,
    sigma: null,
    warnings: [],
    source_events: 0,
    last_source_event_at: null,
    unrecorded_hits: 0,
    capped_at: null,
    version: 0,
    next_run_at: null,
    last_run_at: null,
    created_by: '',
    created_at: at,
    updated_at: at,
  }
}
