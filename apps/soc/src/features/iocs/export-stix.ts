import { randomUUID } from 'node:crypto'
import { type Ioc, type IocFilter, Tlp } from '@manara/soc-contract/iocs'
import type { Kysely } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import type { Tables } from '../../db/tables.ts'
import { IOC_COLUMNS, toIoc } from './ioc-record.ts'
import { matching } from './list-iocs.ts'
import { MARKINGS } from './parse/stix-markings.ts'
import { patternOf } from './parse/stix-pattern.ts'

const PAGE = 1_000
const SORT: Sort = { name: 'export', order: 'asc', columns: { created_at: 'time', id: 'id' } }
const TLP_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d'

/** A STIX 2.1 bundle as text, page by page: a million indicators need no more memory than ten. */
export async function* exportStix(
  db: Kysely<Tables>,
  filter: IocFilter,
): AsyncGenerator<string, void> {
  const markings = Tlp.options.map((tlp) => JSON.stringify(markingOf(tlp)))
  yield `{"type":"bundle","id":"bundle--${randomUUID()}","objects":[${markings.join(',')}`
  let cursor: string | undefined
  do {
    const rows = await db
      .selectFrom('iocs')
      .select(IOC_COLUMNS)
      .where(matching(filter))
      .where(behind(SORT, cursor))
      .orderBy(ordered(SORT))
      .limit(PAGE)
      .execute()
    yield rows.map((row) => `,${JSON.stringify(indicatorOf(toIoc(row)))}`).join('')
    const last = rows.length === PAGE ? rows.at(-1) : undefined
    cursor = last && cursorAfter(SORT, last)
  } while (cursor !== undefined)
  yield ']}'
}

function indicatorOf(ioc: Ioc) {
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${ioc.id}`,
    created: ioc.created_at,
    modified: ioc.updated_at,
    name: ioc.value,
    ...(ioc.description ? { description: ioc.description } : {}),
    pattern: patternOf(ioc),
    pattern_type: 'stix',
    valid_from: ioc.valid_from,
    ...(ioc.valid_until ? { valid_until: ioc.valid_until } : {}),
    confidence: ioc.score,
    revoked: ioc.revoked,
    ...(ioc.tags.length > 0 ? { labels: ioc.tags } : {}),
    object_marking_refs: [MARKINGS[ioc.tlp]],
  }
}

const markingOf = (tlp: Tlp) => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id: MARKINGS[tlp],
  created: '2022-10-01T00:00:00.000Z',
  name: `TLP:${tlp.toUpperCase()}`,
  extensions: { [TLP_EXTENSION]: { extension_type: 'property-extension', tlp_2_0: tlp } },
})
