import type { OwnParser, SampleResult } from '@manara/soc-contract/parsers'
import type { ParserCounts } from './counts.store.ts'
import type { ParserRow } from './parsers.store.ts'

export const toOwnParser = (
  row: ParserRow,
  counts: ParserCounts,
  results: SampleResult[],
): OwnParser => ({
  id: row.id,
  name: row.name,
  description: row.description,
  source: row.source,
  enabled: row.enabled_version !== null,
  version: row.version,
  enabled_version: row.enabled_version,
  definition: row.definition,
  samples: row.samples,
  sample_results: results,
  ...counts,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_by: row.updated_by,
  updated_at: row.updated_at.toISOString(),
})
