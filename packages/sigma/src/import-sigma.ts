import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf, normalise } from '@manara/log-query/normalise'
import { readAggregation } from './aggregation.ts'
import { readCondition, type Selections } from './condition.ts'
import { connectCorrelations } from './connect-correlations.ts'
import { readCorrelation } from './correlation.ts'
import { DEFAULT_MAPPINGS } from './default-mappings.ts'
import { readSelections } from './detection.ts'
import { type ImportSettings, isSettingsFile, readSettings } from './import-settings.ts'
import type { Imported, ImportedQuery, SigmaImport } from './imported.ts'
import { type Source, sourceOf } from './mappings.ts'
import { asList, asText, isMap, type Plain } from './plain-data.ts'
import { readDocuments, type SigmaDocument } from './read-documents.ts'
import { readRule } from './rule.ts'
import { SigmaError } from './sigma-error.ts'

export type SigmaFile = { name: string; content: string }

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
  return connectCorrelations(answer, (field) =>
    firstOf(sourceOf({}, settings.value.mappings).namesOf(field)),
  )
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

const onlyOne = (rule: Imported, filesById: Map<string, string>): Imported => {
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
): Imported => {
  const rule = readRule(value)
  const notes: string[] = []
  if (value.correlation !== undefined) {
    const correlation = readCorrelation(value.correlation)
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
  if (value.filter !== undefined)
    throw new SigmaError('filter: Sigma filters are not supported: write it into its rules')
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
    nameOf: (field) => firstOf(from.namesOf(field)),
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
