import { conflict, notFound } from '@manara/kit/errors'
import type {
  OwnParserCreate,
  ParserDefinition,
  ParserSample,
  ParserVersion,
} from '@manara/soc-contract/parsers'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import type { EnabledParser } from '../normalise/own/own-parsers.ts'

/** More would slow down reading, and nobody keeps an overview of so many. */
const MOST_PARSERS = 500

export type ParserRow = {
  id: string
  name: string
  description: string
  source: string
  version: number
  enabled_version: number | null
  created_by: string
  created_at: Date
  updated_by: string
  updated_at: Date
  definition: ParserDefinition
  samples: ParserSample[]
}

const newest = (db: Kysely<Tables>) =>
  db
    .selectFrom('log_parsers as parser')
    .innerJoin('log_parser_versions as said', (join) =>
      join.onRef('said.parser_id', '=', 'parser.id').onRef('said.version', '=', 'parser.version'),
    )
    .selectAll('parser')
    .select(['said.definition', 'said.samples'])

export const allParsers = (db: Kysely<Tables>): Promise<ParserRow[]> =>
  newest(db).orderBy('parser.name').orderBy('parser.id').execute()

export async function parserById(
  db: Kysely<Tables>,
  id: string,
  { lock = false } = {},
): Promise<ParserRow> {
  if (!isRecordId(id)) throw notFound('parser', id)
  const query = newest(db).where('parser.id', '=', id)
  const row = await (lock ? query.forUpdate('parser') : query).executeTakeFirst()
  if (!row) throw notFound('parser', id)
  return row
}

export async function insertParser(
  db: Kysely<Tables>,
  { definition, samples, ...body }: OwnParserCreate,
  by: { id: string; username: string },
) {
  const { count } = await db
    .selectFrom('log_parsers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_PARSERS) {
    throw conflict(`there are ${MOST_PARSERS} parsers already: remove one that reads nothing`)
  }
  const { id, username } = by
  await db
    .insertInto('log_parsers')
    .values({ ...body, id, version: 1, created_by: username, updated_by: username })
    .execute()
  await insertVersion(db, id, 1, { definition, samples }, username)
}

export async function insertVersion(
  db: Kysely<Tables>,
  id: string,
  version: number,
  { definition, samples }: Pick<OwnParserCreate, 'definition' | 'samples'>,
  username: string,
) {
  await db
    .insertInto('log_parser_versions')
    .values({
      ...{ parser_id: id, version, created_by: username },
      definition: JSON.stringify(definition),
      samples: JSON.stringify(samples),
    })
    .execute()
}

export async function setParser(
  db: Kysely<Tables>,
  id: string,
  fields: Partial<Pick<ParserRow, 'name' | 'description' | 'version' | 'enabled_version'>>,
  username: string,
) {
  await db
    .updateTable('log_parsers')
    .set({ ...fields, updated_by: username, updated_at: new Date() })
    .where('id', '=', id)
    .execute()
}

export async function deleteParserRow(db: Kysely<Tables>, id: string) {
  await db.deleteFrom('log_parsers').where('id', '=', id).execute()
}

export async function versionOf(db: Kysely<Tables>, id: string, version: number) {
  const row = await db
    .selectFrom('log_parser_versions')
    .select(['definition', 'samples'])
    .where('parser_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!row) throw notFound('version of this parser', String(version))
  return row
}

export async function versionsOf(
  db: Kysely<Tables>,
  id: string,
): Promise<z.infer<typeof ParserVersion>[]> {
  const rows = await db
    .selectFrom('log_parser_versions')
    .select(['version', 'definition', 'samples', 'created_by', 'created_at'])
    .where('parser_id', '=', id)
    .orderBy('version', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** In the order in which they were made: the first that reads an event counts. */
export const enabledParsers = (db: Kysely<Tables>): Promise<EnabledParser[]> =>
  db
    .selectFrom('log_parsers as parser')
    .innerJoin('log_parser_versions as said', (join) =>
      join
        .onRef('said.parser_id', '=', 'parser.id')
        .onRef('said.version', '=', 'parser.enabled_version'),
    )
    .select(['parser.id', 'parser.source', 'said.definition'])
    .orderBy('parser.created_at')
    .orderBy('parser.id')
    .execute()
