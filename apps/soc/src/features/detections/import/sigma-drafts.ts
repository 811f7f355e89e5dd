import { printQuery } from '@manara/log-query/print'
import { importSigma } from '@manara/sigma/import-sigma'
import type { Imported, ImportedQuery } from '@manara/sigma/imported'
import type { Level, SigmaRule } from '@manara/sigma/rule'
import type { RuleCreate } from '@manara/soc-contract/detections'
import type { Severity } from '@manara/soc-contract/severity'
import { isTechnique } from '../domain/mitre/techniques.ts'
import { correlationKind, countKind, type KindOf } from './correlation-kind.ts'
import type { RawDraft, RuleFile } from './drafts.ts'

/** Sigma's rules as ours: what cannot be said without changing its meaning is skipped. */
export function draftSigma(
  files: RuleFile[],
  enable: boolean,
  isStorable: (rule: unknown) => boolean,
) {
  const { rules, skipped } = importSigma(files)
  const drafts: RawDraft[] = []
  const kinds = rules.map((imported) => ({ imported, kind: kindOf(imported) }))
  const silent = new Set(
    kinds.flatMap(({ imported, kind }) => silencedBy(imported, kind, isStorable)),
  )
  for (const { imported, kind } of kinds) {
    if ('reason' in kind) {
      skipped.push({ file: imported.file, reason: kind.reason })
      continue
    }
    const { rule, file, source, notes } = imported
    const isSilent = (imported.kind === 'query' && imported.isOnlyCounted) || silent.has(imported)
    const about = [...notes, ...(kind.notes ?? []), ...unknownTechniques(rule)]
    drafts.push({
      file,
      external_id: rule.id,
      sigma_source: source,
      source_query: printQuery(imported.at),
      stated: [],
      warnings: [...about, ...(isSilent ? [ONLY_COUNTS] : [])],
      rule: { ...commonFields(rule), ...kind.fields, enabled: enable && !isSilent },
    })
  }
  return { drafts, skipped }
}

const ONLY_COUNTS = 'is off: a correlation counts its events, and by itself it raises no alert'

const kindOf = (imported: Imported) =>
  imported.kind === 'query' ? queryKind(imported) : correlationKind(imported)

/** What counts by itself is off only where the correlation that takes it is there. */
function silencedBy(
  imported: Imported,
  kind: KindOf,
  isStorable: (rule: unknown) => boolean,
): Imported[] {
  if (imported.kind === 'query' || imported.correlation.generate || 'reason' in kind) return []
  const counting = Object.values(imported.counts).map(({ by }) => by)
  const isThere =
    counting.length > 0 && isStorable({ ...commonFields(imported.rule), ...kind.fields })
  return isThere ? counting : []
}

function queryKind({ query, aggregation }: ImportedQuery): KindOf {
  if (!aggregation) return { fields: { kind: 'query', query: printQuery(query) } }
  return countKind(aggregation, query)
}

const SEVERITIES: Record<Level, Severity> = {
  informational: 'info',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}

function commonFields(rule: SigmaRule): Partial<RuleCreate> {
  return {
    name: rule.title.slice(0, 300),
    description: (rule.description ?? '').slice(0, 20_000),
    alert_severity: SEVERITIES[rule.level ?? 'medium'],
    alert_title_template: '{rule_name} on {host}',
    alert_description_template: '{message}',
    mitre_techniques: [...new Set(rule.techniques.filter(isTechnique))],
    tags: ['sigma', ...new Set(rule.tags)].slice(0, 100),
  }
}

const unknownTechniques = ({ techniques }: SigmaRule) =>
  techniques
    .filter((id) => !isTechnique(id))
    .map((id) => `${id} is no technique of ATT&CK: left out`)
