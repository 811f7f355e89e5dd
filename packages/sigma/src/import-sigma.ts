import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf, normalise } from '@manara/log-query/normalise'
import { readAggregation } from './aggregation.ts'
import { readCondition, type Selections } from './condition.ts'
import { connectCorrelations } from './connect-correlations.ts'
import { type Counting, countingOf, readCorrelation } from './correlation.ts'
import { DEFAULT_MAPPINGS } from './default-mappings.ts'
import { type Reading, readSelections } from './detection.ts'
import {
  createRoom,
  type Filter,
  filterNote,
  isFilter,
  isFor,
  readFilter,
  whyNotFor,
} from './filters.ts'
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
  const documents = documentsIn(files, answer.skipped)
  const unread: Counting[] = []
  const read = <T>(those: Written[], readOne: (written: Written) => T): T[] =>
    those.flatMap((written) => {
      const one = attempt(() => readOne(written))
      if ('value' in one) return [one.value]
      answer.skipped.push({ file: written.file, ...one })
      const { correlation, generate } = written.document.value
      if (correlation !== undefined) unread.push(countingOf(correlation, generate))
      return []
    })
  const isOfFilter = ({ document }: Written) => isFilter(document.value)
  const filters = read(documents.filter(isOfFilter), (one) => checkedFilter(one, settings.value))
  const filesById = new Map<string, string>()
  const room = createRoom()
  answer.rules = read(
    documents.filter((one) => !isOfFilter(one)),
    (one) => onlyOne(readOne(one, settings.value, { filters, room }), filesById),
  )
  for (const filter of filters) {
    const reason = whyNotFor(filter, answer.rules)
    if (reason !== null) answer.skipped.push({ file: filter.file, reason })
  }
  return connectCorrelations(answer, unread, (field) =>
    firstOf(sourceOf({}, settings.value.mappings).namesOf(field)),
  )
}

type Written = { file: string; document: SigmaDocument }

const documentsIn = (files: SigmaFile[], skipped: SigmaImport['skipped']): Written[] =>
  files.flatMap(({ name, content }) => {
    if (isSettingsFile(name)) return []
    const documents = attempt(() => readDocuments(content))
    if ('reason' in documents) {
      skipped.push({ file: name, ...documents })
      return []
    }
    const { value } = documents
    return value.map((document, at) => ({
      file: value.length === 1 ? name : `${name} (document ${at + 1})`,
      document,
    }))
  })

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

/** Read once by itself: what is wrong with it is its own reason, not that of a rule. */
const checkedFilter = (
  { file, document }: Written,
  { mappings, placeholders }: ImportSettings,
): Filter => {
  const filter = readFilter(file, document.value)
  const source = sourceOf(filter.logsource, mappings)
  filter.query({ source, placeholders: { values: placeholders, onUnknown: () => {} } })
  return filter
}

const readOne = (
  { file, document: { value, source } }: Written,
  { mappings, placeholders }: ImportSettings,
  { filters, room }: { filters: Filter[]; room: (text: string) => string },
): Imported => {
  const rule = readRule(value)
  const notes: string[] = []
  if (value.correlation !== undefined) {
    const correlation = readCorrelation(value.correlation, value.generate)
    const at: Query = { kind: 'all' }
    const unknown = { queries: {}, counts: {}, takes: [], at }
    return { kind: 'correlation', file, rule, source, notes, correlation, ...unknown }
  }
  if (!isMap(value.detection)) throw new SigmaError('detection is missing')
  if (!rule.logsource) throw new SigmaError('logsource is missing')
  const from = sourceOf(rule.logsource, mappings)
  if (from.note) notes.push(from.note)
  const unknown = new Set<string>()
  const reading: Reading = {
    source: from,
    placeholders: { values: placeholders, onUnknown: (name) => unknown.add(name) },
  }
  const { query, aggregation } = readConditions(
    value.detection,
    readSelections(value.detection, reading),
    from,
  )
  const fitting = filters
    .filter((filter) => isFor(filter, rule))
    .map((filter) => ({
      filter,
      text: room(filter.sourceFor(rule)),
      query: normalise(filter.query(reading)),
    }))
  for (const name of unknown)
    notes.push(`%${name}% stands in the query as it is: give its values in sigma-mappings.yml`)
  const filtered = fitting.map((one) => filterNote(one.filter, one.query))
  return {
    kind: 'query',
    file,
    rule,
    source: fitting.reduce((before, { text }) => `${before.trimEnd()}\n---\n${text}`, source),
    notes: [...notes, ...filtered],
    filtered,
    isOnlyCounted: false,
    at: normalise(from.condition),
    query: normalise(atSource(from, allOf([query, ...fitting.map((one) => one.query)]))),
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
