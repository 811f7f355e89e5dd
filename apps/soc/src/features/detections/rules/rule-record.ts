import type { DetectionRule, RuleFields, SigmaOrigin } from '@manara/soc-contract/detections'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

const COLUMNS = [
  'id',
  'name',
  'description',
  'query',
  'source',
  'host',
  'match_severity',
  'alert_severity',
  'alert_title_template',
  'alert_description_template',
  'auto_create_case',
  'schedule_enabled',
  'schedule_interval_minutes',
  'mitre_techniques',
  'sharing_mode',
  'shared_with_roles',
  'tags',
  'kind',
  'threshold',
  'new_terms',
  'sequence',
  'enabled',
  'sigma_id',
  'sigma_source',
  'warnings',
  'unrecorded_hits',
  'capped_at',
  'version',
  'next_run_at',
  'last_run_at',
  'created_by',
  'created_by_id',
  'created_at',
  'updated_at',
] as const

/** Everything but the schedule's own bookkeeping, with what was seen of its source. */
export const RULE_COLUMNS = [
  ...COLUMNS,
  sql<string | null>`CASE WHEN detection_rules.source_key IS NULL THEN NULL ELSE coalesce((
    SELECT events FROM detection_sources AS seen
    WHERE seen.source_key = detection_rules.source_key), 0) END`.as('source_events'),
  sql<Date | null>`(SELECT last_event_at FROM detection_sources AS seen
    WHERE seen.source_key = detection_rules.source_key)`.as('last_source_event_at'),
] as const

export type RuleRow = Pick<Selectable<Tables['detection_rules']>, (typeof COLUMNS)[number]> & {
  source_events: string | null
  last_source_event_at: Date | null
}

export function toRule(row: RuleRow): DetectionRule {
  const { sigma_id, sigma_source, ...rest } = row
  return {
    ...rest,
    external_id: sigma_id,
    sigma: sigma_source === null ? null : { sigma_id, source: sigma_source },
    source_events: row.source_events === null ? null : Number(row.source_events),
    last_source_event_at: row.last_source_event_at?.toISOString() ?? null,
    unrecorded_hits: Number(row.unrecorded_hits),
    capped_at: row.capped_at?.toISOString() ?? null,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    last_run_at: row.last_run_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

type Parameters = {
  [Name in 'threshold' | 'new_terms' | 'sequence']?: RuleFields[Name] | undefined
}

/** The parameters of the kinds as they are stored; those not named stay as they are. */
export function parameterColumns(fields: Parameters) {
  const { threshold, new_terms, sequence } = fields
  return {
    ...(threshold === undefined ? {} : { threshold: json(threshold) }),
    ...(new_terms === undefined ? {} : { new_terms: json(new_terms) }),
    ...(sequence === undefined ? {} : { sequence: json(sequence) }),
  }
}

export const sigmaColumns = (sigma: SigmaOrigin | null) => ({
  sigma_id: sigma?.sigma_id ?? null,
  sigma_source: sigma?.source ?? null,
})

const json = (value: object | null) => (value === null ? null : JSON.stringify(value))

/** For listeners and the audit log: the text of a Sigma rule stays in the record. */
export function withoutSource({ sigma, ...rule }: DetectionRule) {
  return { ...rule, sigma_id: sigma?.sigma_id ?? null }
}
