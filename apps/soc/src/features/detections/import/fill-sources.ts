import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { draftEachFile } from './draft-files.ts'
import { type PassDeps, passOverRules } from './pass-over-rules.ts'

type Rule = Pick<Selectable<Tables['detection_rules']>, (typeof COLUMNS)[number]>

const COLUMNS = ['id', 'sigma_id', 'sigma_source', 'kind', 'query', 'sequence'] as const
const AT_ONCE = 500
const UNKNOWN =
  'how many events of its source were seen is not known: import it again to have them counted'

/**
 * Rules that were imported before their source was kept get it from the Sigma they came with. One
 * that would be read differently today, as with mappings of its own, keeps none and says so.
 */
export const fillSourcesOnce = (deps: PassDeps) =>
  passOverRules(deps, 'the sources of rules were not filled in', async () => {
    const rules = await withoutSource(deps.db)
    if (rules.length > 0) await store(deps.db, rules, await sourcesOf(deps, rules))
    return rules.length > 0
  })

const withoutSource = (db: Kysely<Tables>): Promise<Rule[]> =>
  db
    .selectFrom('detection_rules')
    .select(COLUMNS)
    .where('sigma_source', 'is not', null)
    .where('source_query', 'is', null)
    .where(sql<boolean>`NOT warnings @> ARRAY[${UNKNOWN}]`)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()

async function sourcesOf({ now, signal }: PassDeps, rules: Rule[]): Promise<Map<string, string>> {
  const files = rules.map(({ id, sigma_source }) => ({ name: id, content: sigma_source ?? '' }))
  const chunks = await draftEachFile(files, now(), signal)
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const found = new Map<string, string>()
  for (const chunk of chunks) {
    const rows = JSON.parse(chunk.rows) as (Rule & { source_query: string | null })[]
    for (const [place, { file }] of chunk.files.entries()) {
      const row = rows[place]
      const rule = byId.get(file)
      if (row?.source_query && rule && isSame(row, rule)) found.set(file, row.source_query)
    }
  }
  return found
}

const isSame = (read: Rule, stored: Rule) =>
  (stored.sigma_id === null || read.sigma_id === stored.sigma_id) &&
  read.kind === stored.kind &&
  read.query === stored.query &&
  isDeepStrictEqual(read.sequence ?? null, stored.sequence)

/** Not a new version of the rule: it finds what it found before. */
async function store(db: Kysely<Tables>, rules: Rule[], sources: Map<string, string>) {
  const ids = rules.map(({ id }) => id)
  await sql`
    UPDATE detection_rules SET source_query = filled.source_query,
      warnings = CASE WHEN filled.source_query IS NULL THEN array_append(warnings, ${UNKNOWN})
        ELSE warnings END
    FROM unnest(${ids}::uuid[], ${ids.map((id) => sources.get(id) ?? null)}::text[])
      AS filled(id, source_query)
    WHERE detection_rules.id = filled.id AND detection_rules.source_query IS NULL
      AND NOT warnings @> ARRAY[${UNKNOWN}]`.execute(db)
}
