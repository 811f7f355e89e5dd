import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf, normalise } from '@manara/log-query/normalise'
import { readAggregation } from './aggregation.ts'
import { readCondition, type Selections } from './condition.ts'
import { type Correlation, readCorrelation } from './correlation.ts'
import { DEFAULT_MAPPINGS } from './default-mappings.ts'
import { readSelections } from './detection.ts'
import { type ImportSettings, isSettingsFile, readSettings } from './import-settings.ts'
import { type Source, sourceOf } from './mappings.ts'
import { asList, asText, isMap, type Plain } from './plain-data.ts'
import { readDocuments, type SigmaDocument } from './read-documents.ts'
import { readRule, type SigmaRule } from './rule.ts'
import { SigmaError } from './sigma-error.ts'

export type SigmaFile = { name: string; content: string }

type Common = {
  file: string
  rule: SigmaRule
  /** The YAML that gives this rule alone. */
  source: string
  /** What somebody should know before switching the rule on. */
  notes: string[]
  /** Which events it looks at, before anything is looked for in them. */
  at: Query
}
export type ImportedQuery = Common & {
  kind: 'query'
  query: Query
  /** From an old `| count() …`: the rule fires on this many matches, not on each. */
  aggregation: Omit<Correlation, 'rules'> | null
}
export type ImportedCorrelation = Common & {
  kind: 'correlation'
  correlation: Correlation
  /** The queries of its rules, by the name it calls them; those of this import only. */
  queries: Record<string, Query>
}
export type SigmaImport = {
  rules: (ImportedQuery | ImportedCorrelation)[]
  skipped: { file: string; reason: string }[]
}

/**
 * Every rule in the files is either among `rules` or has its reason in `skipped`. A file named
 * `sigma-mappings.yml` says how the others are read; while it is wrong, none of them is.
 */
export const importSigma = (files: SigmaFile[]): SigmaImport => {
  const settings = attempt(() => settingsIn(files))
  if ('reason' in settings)
    return { rules: [], skipped: files.map(({ name }) => ({ file: name, ...settings })) }
  const answer: SigmaImport = { rules: [], skipped: [] }
  const filesById = new Map<string, string>()
  for (const { name, content } of files) {
    if (isSettingsFile(name)) continue
    const documents = attempt(() => readDocuments(content))
    if ('reason' in documents) {
      answer.skipped.push({ file: name, ...documents })
      continue
    }
    for (const [index, document] of documents.value.entries()) {
      const file = documents.value.length === 1 ? name : `${name} (document ${index + 1})`
      const rule = attempt(() => onlyOne(readOne(file, document, settings.value), filesById))
      if ('reason' in rule) answer.skipped.push({ file, ...rule })
      else answer.rules.push(rule.value)
    }
  }
  connect(answer.rules)
  return answer
}

/** What is wrong with a rule is an answer, anything else a bug. */
const attempt = <T>(read: () => T): { value: T } | { reason: string } => {
  try {
    return { value: read() }
  } catch (error) {
    if (!(error instanceof SigmaError)) throw error
    return { reason: error.message }
  }
}

const settingsIn = (files: SigmaFile[]): ImportSettings => {
  const read = files.filter(({ name }) => isSettingsFile(name)).map(readSettings)
  return {
    mappings: [...read.flatMap(({ mappings }) => mappings), ...DEFAULT_MAPPINGS],
    placeholders: Object.fromEntries(read.flatMap((one) => Object.entries(one.placeholders))),
  }
}

const onlyOne = <T extends Common>(rule: T, filesById: Map<string, string>): T => {
  const { id } = rule.rule
  if (!id) return rule
  const first = filesById.get(id)
  if (first) throw new SigmaError(`has the same id as ${first}: every rule needs its own`)
  filesById.set(id, rule.file)
  return rule
}

const readOne = (
  file: string,
  { value, source }: SigmaDocument,
  { mappings, placeholders }: ImportSettings,
): ImportedQuery | ImportedCorrelation => {
  const rule = readRule(value)
  const notes: string[] = []
  if (value.correlation !== undefined) {
    const { namesOf } = sourceOf({}, mappings)
    const correlation = readCorrelation(value.correlation, (name) => firstOf(namesOf(name)))
    return {
      kind: 'correlation',
      file,
      rule,
      source,
      notes,
      correlation,
      queries: {},
      at: { kind: 'all' },
    }
  }
  if (!isMap(value.detection)) throw new SigmaError('detection is missing')
  if (!rule.logsource) throw new SigmaError('logsource is missing')
  const from = sourceOf(rule.logsource, mappings)
  if (from.note) notes.push(from.note)
  const unknown = new Set<string>()
  const selections = readSelections(value.detection, {
    source: from,
    placeholders: { values: placeholders, onUnknown: (name) => unknown.add(name) },
  })
  const { query, aggregation } = readConditions(value.detection, selections, from)
  for (const name of unknown)
    notes.push(`%${name}% stands in the query as it is: give its values in sigma-mappings.yml`)
  return {
    kind: 'query',
    file,
    rule,
    source,
    notes,
    at: normalise(from.condition),
    query: normalise(atSource(from, query)),
    aggregation,
  }
}

const firstOf = (names: string[]) => names[0] ?? ''

const atSource = ({ condition }: Source, query: Query): Query =>
  condition.kind === 'all' ? query : allOf([condition, query])

/** Several conditions are alternatives. */
const readConditions = (
  detection: Plain,
  selections: Selections,
  source: Source,
): Pick<ImportedQuery, 'query' | 'aggregation'> => {
  const conditions = asList(detection.condition).map((condition) => asText(condition) ?? '')
  if (conditions.length === 0) throw new SigmaError('condition is missing')
  const pairs = conditions.map((condition) => {
    const [search = '', ...aggregations] = condition.split('|')
    const query = readCondition(search, selections)
    if (aggregations.length === 0) return { query, aggregation: null }
    const timeframe = asText(detection.timeframe)
    const nameOf = (name: string) => firstOf(source.namesOf(name))
    return { query, aggregation: readAggregation(aggregations.join('|'), timeframe, nameOf) }
  })
  const [only] = pairs
  if (only && pairs.length === 1) return only
  if (pairs.some(({ aggregation }) => aggregation))
    throw new SigmaError('several conditions with aggregations: make a rule of each')
  return { query: anyOf(pairs.map(({ query }) => query)), aggregation: null }
}

/** Hands every correlation the queries of its rules, and says which are not in this import. */
const connect = (rules: SigmaImport['rules']) => {
  const known = new Map<string, ImportedQuery>()
  for (const imported of rules) {
    // What counts by itself cannot be counted again.
    if (imported.kind !== 'query' || imported.aggregation) continue
    if (imported.rule.name) known.set(imported.rule.name, imported)
    if (imported.rule.id) known.set(imported.rule.id, imported)
  }
  for (const imported of rules) {
    if (imported.kind !== 'correlation') continue
    const sources: Query[] = []
    for (const reference of imported.correlation.rules) {
      const rule = known.get(reference)
      if (rule) {
        imported.queries[reference] = rule.query
        sources.push(rule.at)
      } else imported.notes.push(`its rule ${reference} is not among the imported ones`)
    }
    if (sources.length > 0) imported.at = normalise(anyOf(sources))
  }
}
