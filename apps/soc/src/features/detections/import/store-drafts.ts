import type { RuleFields } from '@manara/soc-contract/detections'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { DraftChunk } from './draft-rows.ts'
import { meaningOf } from './meaning.ts'

type Row = {
  id: string
  sigma_id: string | null
  name: string
  kind: string
  enabled: boolean
  is_new: boolean
}
export type StoredDraft = Row & {
  file: string
  warnings: string[]
  settings: Partial<RuleFields>
}

type Options = {
  by: string
  /** Whether rules that are there are switched on or off too. */
  setEnabled: boolean
  /** Of the chunks these alone, by the ids of their files. */
  only?: string[]
  /** Of them not these. */
  except?: string[]
}

/**
 * New rules, and new contents for those that are there. What people set on a rule stays: whether it
 * is on (unless `setEnabled`), its schedule, sharing, templates and what it was narrowed to.
 */
export async function storeDrafts(
  tx: Kysely<Tables>,
  chunks: DraftChunk[],
  options: Options,
): Promise<StoredDraft[]> {
  const stored: StoredDraft[] = []
  for (const { rows, files } of chunks) {
    // A rule that was there keeps its own id, and is known by the one of its file.
    const known = new Map<string | null, Partial<(typeof files)[number]>>(
      files.flatMap((file) => [
        [file.id, file],
        [file.external_id, file],
      ]),
    )
    for (const row of await upsert(tx, rows, options)) {
      const of = known.get(row.id) ?? known.get(row.sigma_id) ?? {}
      const { file = '', warnings = [], settings = {} } = of
      stored.push({ ...row, file, warnings, settings })
    }
  }
  return stored
}

async function upsert(tx: Kysely<Tables>, rows: string, options: Options) {
  const { by, setEnabled, only, except = [] } = options
  const { rows: stored } = await sql<Row>`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS given (
        id uuid, name text, description text, query text, source text, host text,
        match_severity text, alert_severity text, alert_title_template text,
        alert_description_template text, auto_create_case boolean, schedule_enabled boolean,
        schedule_interval_minutes integer, mitre_techniques text[], sharing_mode text,
        shared_with_roles text[], tags text[], kind text, threshold jsonb, new_terms jsonb,
        sequence jsonb, enabled boolean, sigma_id text, sigma_source text, source_query text,
        read_by text, is_plain boolean, warnings text[],
        next_run_at timestamptz, covered_until timestamptz
      )
    )
    INSERT INTO detection_rules AS rule (
      id, name, description, query, source, host, match_severity, alert_severity,
      alert_title_template, alert_description_template, auto_create_case, schedule_enabled,
      schedule_interval_minutes, mitre_techniques, sharing_mode, shared_with_roles, tags, kind,
      threshold, new_terms, sequence, enabled, sigma_id, sigma_source, source_query, read_by, made,
      warnings, next_run_at, covered_until, created_by
    )
    SELECT id, name, description, query, source, host, match_severity, alert_severity,
      alert_title_template, alert_description_template, auto_create_case, schedule_enabled,
      schedule_interval_minutes, mitre_techniques, sharing_mode, shared_with_roles, tags, kind,
      threshold, new_terms, sequence, enabled, sigma_id, sigma_source, source_query, read_by,
      CASE WHEN is_plain THEN ${meaningOf('given')} END,
      warnings, next_run_at, covered_until, ${by}
    FROM given
    WHERE (${only ?? null}::text[] IS NULL OR sigma_id = ANY(${only ?? null}::text[]))
      AND (sigma_id IS NULL OR sigma_id <> ALL(${except}::text[]))
    ORDER BY sigma_id
    ON CONFLICT (sigma_id) WHERE sigma_id IS NOT NULL DO UPDATE SET
      name = excluded.name, description = excluded.description, query = excluded.query,
      alert_severity = excluded.alert_severity, mitre_techniques = excluded.mitre_techniques,
      tags = excluded.tags, kind = excluded.kind, threshold = excluded.threshold,
      new_terms = excluded.new_terms, sequence = excluded.sequence,
      sigma_source = excluded.sigma_source, source_query = excluded.source_query,
      read_by = excluded.read_by, made = excluded.made,
      warnings = excluded.warnings,
      enabled = CASE WHEN ${setEnabled}::boolean THEN excluded.enabled ELSE rule.enabled END,
      terms_learnt_at = CASE
        WHEN (rule.query, rule.new_terms) IS NOT DISTINCT FROM (excluded.query, excluded.new_terms)
        THEN rule.terms_learnt_at END,
      version = rule.version + 1, updated_at = now()
    RETURNING id, sigma_id, name, kind, enabled, (xmax = 0) AS is_new`.execute(tx)
  return stored
}
