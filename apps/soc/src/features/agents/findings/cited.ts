import type { Cites } from '@manara/soc-contract/agents'
import { type Kysely, sql } from 'kysely'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore } from '../../../ports/log-store.ts'

export type Known = Record<keyof Cites, ReadonlySet<string>>
type Citing = { cites: Partial<Cites> }

export const citesOf = (cites: Partial<Cites>) => Object.entries(cites) as [keyof Cites, string[]][]

export const filledCites = (cites: Partial<Cites>): Cites => ({
  log_ids: [],
  alert_ids: [],
  case_ids: [],
  rule_ids: [],
  endpoint_ids: [],
  ioc_ids: [],
  ...cites,
})

const TABLES = {
  alert_ids: 'alerts',
  case_ids: 'cases',
  rule_ids: 'detection_rules',
  endpoint_ids: 'edr_endpoints',
  ioc_ids: 'iocs',
} as const

const all = (citing: Citing[], kind: keyof Cites) => [
  ...new Set(citing.flatMap(({ cites }) => cites[kind] ?? [])),
]

/** Which of the records that are named exist, in one query. */
export async function knownRecords(
  tx: Kysely<Tables>,
  { findings, proposals }: { findings: Citing[]; proposals: Citing[] },
): Promise<Omit<Known, 'log_ids'>> {
  const kinds = Object.keys(TABLES) as (keyof typeof TABLES)[]
  const asked = kinds.map(
    (kind) => [kind, all([...findings, ...proposals], kind).filter(isRecordId)] as const,
  )
  const named = asked.filter(([, ids]) => ids.length > 0)
  const found =
    named.length === 0
      ? []
      : (
          await sql<{ kind: string; id: string }>`${sql.join(
            named.map(
              ([kind, ids]) => sql`SELECT ${kind} AS kind, id::text FROM ${sql.table(TABLES[kind])}
                WHERE id = ANY(${ids}::uuid[])`,
            ),
            sql` UNION ALL `,
          )}`.execute(tx)
        ).rows
  const of = (kind: string) => new Set(found.filter((row) => row.kind === kind).map(({ id }) => id))
  return {
    alert_ids: of('alert_ids'),
    case_ids: of('case_ids'),
    rule_ids: of('rule_ids'),
    endpoint_ids: of('endpoint_ids'),
    ioc_ids: of('ioc_ids'),
  }
}

/** The same for events; a store that is away makes the caller try again. */
export async function knownLogs(
  logs: Pick<LogStore, 'search'>,
  citing: Citing[],
): Promise<ReadonlySet<string>> {
  const ids = all(citing, 'log_ids')
  if (ids.length === 0) return new Set()
  const found = await logs.search({
    query: {
      kind: 'or',
      queries: ids.map((id) => ({
        kind: 'field',
        field: 'id',
        match: { kind: 'pattern', parts: [id], isCaseSensitive: true },
      })),
    },
    time: {},
    skip: 0,
    limit: ids.length,
    order: 'desc',
    countUpTo: 0,
  })
  return new Set(found.logs.map(({ id }) => id))
}
