import type { Query } from '@manara/log-query/ast'
import { anyOf, normalise } from '@manara/log-query/normalise'
import { type NamedRule, withNames } from './correlation.ts'
import type { Imported, ImportedCorrelation, ImportedQuery, SigmaImport } from './imported.ts'

type NameOf = ImportedQuery['nameOf']

/**
 * Hands every correlation the queries of its rules and the names of their fields, and says which
 * rules are not in this import. What counts by itself cannot be counted again: that is skipped.
 */
export const connectCorrelations = (read: SigmaImport, anywhere: NameOf): SigmaImport => {
  const known = new Map<string, Imported>()
  for (const imported of read.rules) {
    if (imported.rule.name) known.set(imported.rule.name, imported)
    if (imported.rule.id) known.set(imported.rule.id, imported)
  }
  const answer: SigmaImport = { rules: [], skipped: read.skipped }
  for (const imported of read.rules) {
    if (imported.kind === 'correlation') markCounted(imported, known)
    const counting = imported.kind === 'correlation' && firstCounting(imported, known)
    if (counting) {
      const reason = `correlation: its rule ${counting} counts itself: that again cannot be counted`
      answer.skipped.push({ file: imported.file, reason })
    } else {
      if (imported.kind === 'correlation') connect(imported, known, anywhere)
      answer.rules.push(imported)
    }
  }
  return answer
}

/** Unless the correlation says `generate`; what counts by itself is of use without it. */
const markCounted = ({ correlation }: ImportedCorrelation, known: Map<string, Imported>): void => {
  if (correlation.generate) return
  for (const reference of correlation.rules) {
    const rule = known.get(reference)
    if (rule?.kind === 'query' && !rule.aggregation) rule.isOnlyCounted = true
  }
}

const firstCounting = ({ correlation }: ImportedCorrelation, known: Map<string, Imported>) =>
  correlation.rules.find((reference) => {
    const rule = known.get(reference)
    return rule?.kind === 'correlation' || rule?.aggregation
  })

const connect = (
  imported: ImportedCorrelation,
  known: Map<string, Imported>,
  anywhere: NameOf,
): void => {
  const { correlation, notes, queries } = imported
  const sources: Query[] = []
  const rules = correlation.rules.map((reference): NamedRule => {
    const rule = known.get(reference)
    if (rule?.kind !== 'query') {
      notes.push(`its rule ${reference} is not among the imported ones`)
      return { names: [reference], nameOf: anywhere }
    }
    queries[reference] = rule.query
    sources.push(rule.at)
    notes.push(...rule.filtered.map((note) => `its rule ${reference}: ${note}`))
    const { id, name } = rule.rule
    return { names: [reference, name ?? reference, id ?? reference], nameOf: rule.nameOf }
  })
  if (sources.length > 0) imported.at = normalise(anyOf(sources))
  imported.correlation = withNames(correlation, rules, (alias, rule) =>
    notes.push(
      `the alias ${alias} names no field of the rule ${rule}: there it is the field itself`,
    ),
  )
}
