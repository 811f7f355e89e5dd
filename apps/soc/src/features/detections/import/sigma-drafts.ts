import { printQuery } from '@manara/log-query/print'
import { isSettingsFile } from '@manara/sigma/import-settings'
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
  const isPlain = !files.some(({ name }) => isSettingsFile(name))
  const drafts: RawDraft[] = []
  const kinds = rules.map((imported) => ({ imported, kind: kindOf(imported) }))
  const taken = new Set(kinds.flatMap(({ imported, kind }) => takenBy(imported, kind, isStorable)))
  for (const { imported, kind } of kinds) {
    if ('reason' in kind) {
      skipped.push({ file: imported.file, reason: kind.reason })
      continue
    }
    const { rule, file, source, notes } = imported
    const silence = whySilent(imported, taken)
    const about = [...notes, ...(kind.notes ?? []), ...unknownTechniques(rule)]
    drafts.push({
      file,
      external_id: rule.id,
      sigma_source: source,
      source_query: printQuery(imported.at),
      isPlain,
      stated: [],
      warnings: [...about, ...silence, ...(rule.id === null ? [NO_ID] : [])],
      rule: { ...commonFields(rule), ...kind.fields, enabled: enable && silence.length === 0 },
    })
  }
  return { drafts, skipped }
}

const ONLY_COUNTS = 'is off: a correlation counts its events, and by itself it raises no alert'
const COUNTED_BY_NONE =
  'is off: nothing counts its events, as the correlation that names it was not taken. Switch it on to be told of each'

/** Written to be counted it is off, also where what would have counted it is not there. */
function whySilent(imported: Imported, taken: ReadonlySet<Imported>): string[] {
  if (taken.has(imported)) return [ONLY_COUNTS]
  return imported.kind === 'query' && imported.isOnlyCounted ? [COUNTED_BY_NONE] : []
}

const NO_ID =
  'has no id: when its file is changed and imported again, that is another rule beside it'

const kindOf = (imported: Imported) =>
  imported.kind === 'query' ? queryKind(imported) : correlationKind(imported)

/** What counts by itself is off only where the correlation that takes it is there. */
function takenBy(
  imported: Imported,
  kind: KindOf,
  isStorable: (rule: unknown) => boolean,
): Imported[] {
  if (imported.kind === 'query' || imported.correlation.generate || 'reason' in kind) return []
  const isThere = isStorable({ ...commonFields(imported.rule), ...kind.fields })
  return isThere ? imported.takes : []
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
