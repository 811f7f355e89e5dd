import type { RuleCreate } from '@manara/soc-contract/detections'

export type RuleFile = { name: string; content: string }

/** A rule as a file has it, ready to be stored. */
export type Draft = {
  file: string
  /** By which a later import finds the rule again. */
  external_id: string | null
  /** Sigma's own text; null for a rule in this service's words. */
  sigma_source: string | null
  /** Which events Sigma's logsource means, as a query. */
  source_query: string | null
  /** Read as any Sigma is, without mappings of the import's own. */
  isPlain: boolean
  rule: RuleCreate
  /** The names that the file itself writes; the others have their defaults. */
  stated: string[]
  warnings: string[]
}

/** Not checked yet: a file may hold anything. */
export type RawDraft = Omit<Draft, 'rule'> & { rule: unknown }

export type Skipped = { file: string; reason: string }
