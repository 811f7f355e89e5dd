import type { Query } from '@manara/log-query/ast'
import { anyOf, normalise } from '@manara/log-query/normalise'
import {
  type Correlation,
  type Counting,
  isTemporal,
  type NamedRule,
  withNames,
} from './correlation.ts'
import type { Imported, ImportedCorrelation, ImportedQuery, SigmaImport } from './imported.ts'

type NameOf = ImportedQuery['nameOf']
type Known = Map<string, Imported>

/**
 * Hands every correlation the queries of its rules and the names of their fields, and says which
 * rules are not in this import. What counts by itself may be part of a temporal correlation, and
 * cannot be counted again: that is skipped. `unread` are those that were not understood.
 */
export const connectCorrelations = (
  read: SigmaImport,
  unread: Counting[],
  anywhere: NameOf,
): SigmaImport => {
  const known: Known = new Map()
  for (const imported of read.rules) {
    if (imported.rule.name) known.set(imported.rule.name, imported)
    if (imported.rule.id) known.set(imported.rule.id, imported)
  }
  const skipped = [...read.skipped]
  const refused = new Set<Imported>()
  const correlations = read.rules.filter((one) => one.kind === 'correlation')
  for (const counting of unread) markCounted(counting, known)
  for (const imported of correlations) {
    markCounted(imported.correlation, known)
    const reason = whyNot(imported, known)
    if (reason === undefined) continue
    skipped.push({ file: imported.file, reason })
    refused.add(imported)
  }
  for (const [name, imported] of known) if (refused.has(imported)) known.delete(name)
  // What counts goes first: a temporal one takes its queries and names.
  for (const isLast of [false, true])
    for (const imported of correlations)
      if (isTemporal(imported.correlation) === isLast) connect(imported, known, anywhere)
  return { rules: read.rules.filter((imported) => !refused.has(imported)), skipped }
}

/** Unless the correlation says `generate`; what counts by itself is of use without it. */
const markCounted = ({ rules, generate }: Counting, known: Known): void => {
  if (generate) return
  for (const reference of rules) {
    const rule = known.get(reference)
    if (rule?.kind === 'query' && !rule.aggregation) rule.isOnlyCounted = true
  }
}

const countOf = (rule: Imported): Omit<Correlation, 'rules'> | null =>
  rule.kind === 'query' ? rule.aggregation : rule.correlation

const whyNot = ({ correlation }: ImportedCorrelation, known: Known): string | undefined => {
  for (const reference of correlation.rules) {
    const rule = known.get(reference)
    const count = rule && countOf(rule)
    if (!count) continue
    if (!isTemporal(correlation))
      return `correlation: its rule ${reference} counts itself, and that again cannot be counted: count the rules of ${reference}, or name it in a temporal one`
    if (isTemporal(count))
      return `correlation: its rule ${reference} is temporal itself: name the rules of ${reference} in place of it`
  }
  return undefined
}

const connect = (imported: ImportedCorrelation, known: Known, anywhere: NameOf): void => {
  const { correlation, notes } = imported
  const sources: Query[] = []
  const rules = correlation.rules.map((reference): NamedRule => {
    const rule = known.get(reference)
    const query = rule && queryOf(rule)
    if (!rule || !query) {
      notes.push(`its rule ${reference} is not among the imported ones`)
      return { names: [reference], nameOf: anywhere }
    }
    imported.queries[reference] = query
    const count = countOf(rule)
    if (count) imported.counts[reference] = count
    imported.takes.push(rule)
    sources.push(rule.at)
    const filtered = rule.kind === 'query' ? rule.filtered : []
    notes.push(...filtered.map((note) => `its rule ${reference}: ${note}`))
    const { id, name } = rule.rule
    return {
      names: [reference, name ?? reference, id ?? reference],
      nameOf: (field) => {
        const [first = field, ...others] = namesIn(rule, known, field)
        if (others.length > 0)
          notes.push(
            `the rules of ${reference} have ${field} under several names: only ${first} is looked at`,
          )
        return first
      },
    }
  })
  if (sources.length > 0) imported.at = normalise(anyOf(sources))
  imported.correlation = withNames(correlation, rules, (alias, rule) =>
    notes.push(
      `the alias ${alias} names no field of the rule ${rule}: there it is the field itself`,
    ),
  )
}

/** Of a correlation what any of its rules finds; undefined while one of them is not there. */
const queryOf = (rule: Imported): Query | undefined => {
  if (rule.kind === 'query') return rule.query
  const queries = rule.correlation.rules.flatMap((name) => rule.queries[name] ?? [])
  return queries.length < rule.correlation.rules.length ? undefined : anyOf(queries)
}

const namesIn = (rule: Imported, known: Known, field: string): string[] => {
  if (rule.kind === 'query') return [rule.nameOf(field)]
  const inner = rule.correlation.rules.map((name) => known.get(name))
  return [...new Set(inner.flatMap((one) => (one?.kind === 'query' ? one.nameOf(field) : [])))]
}
