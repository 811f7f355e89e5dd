import type { ParserListQuery, ParserSummary } from '@manara/soc-contract/parsers'
import { CATALOGUE } from '../normalise/catalogue/catalogue.ts'
import { ownName } from '../normalise/own/own-parsers.ts'
import { NOTHING_READ, type ParserCounts } from './counts.store.ts'
import type { ParserRow } from './parsers.store.ts'

/** Your own first, then the built-in ones by what they read. */
export function listParsers(
  own: Omit<ParserRow, 'definition' | 'samples'>[],
  counts: ReadonlyMap<string, ParserCounts>,
  { q, origin, source }: Pick<ParserListQuery, 'q' | 'origin' | 'source'>,
): ParserSummary[] {
  const ours = own.map(
    (row): ParserSummary => ({
      ...{ id: ownName(row.id), parser_id: row.id, origin: 'own', name: row.name, group: null },
      ...{ source: row.source, enabled: row.enabled_version !== null, version: row.version },
      ...(counts.get(ownName(row.id)) ?? NOTHING_READ),
    }),
  )
  const builtIn = CATALOGUE.map(
    ({ id, title, group }): ParserSummary => ({
      ...{ id, parser_id: null, origin: 'built_in', name: title, group, source: null },
      ...{ enabled: true, version: null, ...(counts.get(id) ?? NOTHING_READ) },
    }),
  ).sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1))
  const wanted = q?.toLowerCase()
  return [...ours, ...builtIn].filter(
    (one) =>
      (origin === undefined || one.origin === origin) &&
      (source === undefined || one.source === source) &&
      (wanted === undefined || `${one.id} ${one.name} ${one.group}`.toLowerCase().includes(wanted)),
  )
}
