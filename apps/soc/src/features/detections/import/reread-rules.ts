import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import { draftEachFile } from './draft-files.ts'
import { meaningOf } from './meaning.ts'
import { type PassDeps, passOverRules } from './pass-over-rules.ts'
import { readerKey } from './reader-key.ts'

type RereadDeps = PassDeps & Pick<Changes, 'internalWorkflow'>

const MEANING = ['kind', 'query', 'threshold', 'new_terms', 'sequence'] as const
const COLUMNS = ['id', 'sigma_source', 'source_query', 'warnings', 'version', ...MEANING] as const
type Rule = Pick<Selectable<Tables['detection_rules']>, (typeof COLUMNS)[number]>
type Meaning = Pick<Rule, (typeof MEANING)[number]>
type Stored = Rule & { isAsMade: boolean | null }

const AT_ONCE = 500
const OTHERWISE =
  'would be read otherwise by this version: import it again, unless that is as you want it'
/** What other rules of an import have to do with one is not known when it is read alone. */
const OF_OTHERS = /^is off: /

/**
 * Sigma rules that another version of this service has read are read again: events get other names,
 * and sources that nobody knew then. One that somebody changed stays as it is; of one that may have
 * had mappings of its own a note says that it is out of date. Correlations keep what they were made
 * of until they are imported again: alone they mean nothing.
 */
export const rereadRulesOnce = (deps: RereadDeps) =>
  passOverRules(deps, 'rules were not read again', async () => {
    const rules = await readByOthers(deps.db)
    if (rules.length > 0) await reread(deps, rules)
    return rules.length > 0
  })

async function readByOthers(db: Kysely<Tables>): Promise<Stored[]> {
  const any = await db
    .selectFrom('detection_rules')
    .select('id')
    .where('sigma_source', 'is not', null)
    .limit(1)
    .execute()
  if (any.length === 0) return []
  return db
    .selectFrom('detection_rules as rule')
    .select([...COLUMNS, sql<boolean | null>`made = ${meaningOf('rule')}`.as('isAsMade')])
    .where('sigma_source', 'is not', null)
    .where('read_by', 'is distinct from', readerKey())
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
}

async function reread(deps: RereadDeps, rules: Stored[]) {
  const files = rules.map(({ id, sigma_source }) => ({ name: id, content: sigma_source ?? '' }))
  const chunks = await draftEachFile(files, deps.now(), deps.signal)
  const read = new Map<string, Rule>()
  for (const { rows, files: of } of chunks) {
    for (const [place, row] of (JSON.parse(rows) as Rule[]).entries()) {
      const file = of[place]?.file
      if (file !== undefined) read.set(file, row)
    }
  }
  const given = rules.map((rule) => outcomeOf(rule, read.get(rule.id)))
  const told = await deps.internalWorkflow(async ({ tx, audit }) => {
    const stored = await store(tx, given)
    const changed = stored.filter(({ raise }) => raise > 0).length
    const otherwise = stored.filter(({ is_otherwise }) => is_otherwise).length
    if (changed + otherwise === 0) return undefined
    await audit({ action: 'rules.reread', target: 'rules', after: { changed, otherwise } })
    return { changed, otherwise }
  })
  if (told) deps.log.info(told, 'rules were read again')
}

/**
 * What somebody changes meanwhile is left for the next pass, and what another process has stored by
 * now is its own. Of a rule that stays, what is filled in meanwhile stays, too.
 */
async function store(tx: Kysely<Tables>, given: Outcome[]) {
  const { rows } = await sql<Pick<Outcome, 'raise' | 'is_otherwise'>>`
    UPDATE detection_rules AS rule SET query = given.query, threshold = given.threshold,
      source_query = CASE WHEN given.raise > 0 THEN given.source_query ELSE rule.source_query END,
      warnings = CASE WHEN given.raise > 0 THEN given.warnings
        WHEN given.is_otherwise THEN array_remove(rule.warnings, ${OTHERWISE}) || ${OTHERWISE}::text
        ELSE array_remove(rule.warnings, ${OTHERWISE}) END,
      read_by = ${readerKey()},
      made = CASE WHEN given.is_made THEN ${meaningOf('given')} ELSE rule.made END,
      version = rule.version + given.raise,
      updated_at = CASE WHEN given.raise > 0 THEN now() ELSE rule.updated_at END
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS given (id uuid, version integer,
      kind text, query text, threshold jsonb, new_terms jsonb, sequence jsonb, source_query text,
      warnings text[], is_made boolean, is_otherwise boolean, raise integer)
    WHERE rule.id = given.id AND rule.version = given.version
      AND rule.read_by IS DISTINCT FROM ${readerKey()}
    RETURNING given.raise, given.is_otherwise`.execute(tx)
  return rows
}

type Outcome = Omit<Rule, 'sigma_source'> & {
  is_made: boolean
  is_otherwise: boolean
  raise: 0 | 1
}

function outcomeOf(
  { isAsMade, sigma_source: _, ...stored }: Stored,
  read: Rule | undefined,
): Outcome {
  const kept = { ...stored, is_made: false, is_otherwise: false, raise: 0 } as const
  // A correlation, or what this version cannot read any more.
  if (!read) return kept
  if (isSame(read, stored)) return { ...kept, is_made: true }
  const wasChanged = isAsMade === false
  if (wasChanged) return kept
  if (isAsMade === null || read.kind !== stored.kind) return { ...kept, is_otherwise: true }
  const { query, threshold, source_query } = read
  const warnings = [
    ...read.warnings.filter((note) => !OF_OTHERS.test(note)),
    ...stored.warnings.filter((note) => OF_OTHERS.test(note)),
  ]
  return { ...kept, query, threshold, source_query, warnings, is_made: true, raise: 1 }
}

const isSame = (read: Meaning, stored: Meaning) =>
  MEANING.every((name) => isDeepStrictEqual(read[name] ?? null, stored[name] ?? null))
