import type { Query } from '@manara/log-query/ast'
import type { Correlation } from './correlation.ts'
import type { SigmaRule } from './rule.ts'

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
  /** What filters do to it; among its notes too. */
  filtered: string[]
  /** It is there for a correlation, and by itself raises nothing. */
  isOnlyCounted: boolean
  /** From an old `| count() …`: the rule fires on this many matches, not on each. */
  aggregation: Omit<Correlation, 'rules'> | null
  /** What a field of the rule is called in its events. */
  nameOf(field: string): string
}
export type ImportedCorrelation = Common & {
  kind: 'correlation'
  correlation: Correlation
  /** The queries of its rules, by the name it calls them; those of this import only. */
  queries: Record<string, Query>
  /** What those of its rules count that count themselves, by the same name. */
  counts: Record<string, Omit<Correlation, 'rules'>>
  /** Its rules that are in this import. */
  takes: Imported[]
}
export type Imported = ImportedQuery | ImportedCorrelation
export type SigmaImport = {
  rules: Imported[]
  skipped: { file: string; reason: string }[]
}
