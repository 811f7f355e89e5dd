import { COMMON_FIELDS } from '@manara/log-query/event'

/** Partitions are days of arrival, so that retention drops whole ones; within one, events stand by time. */
const COLUMNS = `
  received_day Date, id String, at Int64, received_at Int64, source String, host Nullable(String),
  severity String, message String, user Nullable(String), process Nullable(String),
  event_code Nullable(String), src_ip Nullable(String), dst_ip Nullable(String),
  fields String, original Nullable(String),
  field_names Array(String), field_texts Array(String), field_kinds Array(String),
  folded_texts Array(String), folded_columns Array(String)`
export const COLUMN_NAMES = [...COLUMNS.matchAll(/(\w+) \w+(?:\(\w+\))?(?:,|$)/g)]
  .map(([, name]) => `\`${name}\``)
  .join(', ')
const ENGINE =
  'ENGINE = MergeTree PARTITION BY received_day ORDER BY (at, id) SETTINGS index_granularity = 8192'
const LOGS = (settings: string) =>
  `CREATE TABLE IF NOT EXISTS soc_logs (${COLUMNS}) ${ENGINE}${settings}`

/** Other readings of events that wait to take their place; the latest of each counts. */
export const REREAD = 'soc_logs_reread'
export const CREATE_REREAD = `CREATE TABLE IF NOT EXISTS ${REREAD} (${COLUMNS}, written Int64) ${ENGINE}`
/** A day as it will be. */
export const NEXT = 'soc_logs_next'
export const CREATE_NEXT = `CREATE TABLE ${NEXT} AS soc_logs`

/** Where an id was stored: written before its event, so that it may be wrong but never missing. */
const IDS = (settings: string) => `CREATE TABLE IF NOT EXISTS soc_log_ids (
  received_day Date, id String, at Int64
) ENGINE = MergeTree PARTITION BY received_day ORDER BY id SETTINGS index_granularity = 1024${settings}`

/**
 * How many events of a source and severity fall into each quarter of an hour, and between which times
 * they lie. A view writes it with every insert; like events it goes with the day of arrival.
 */
export const COUNTS = 'soc_log_counts'
export const STEP_MS = 900_000
const CREATE_COUNTS = `CREATE TABLE IF NOT EXISTS ${COUNTS} (
  received_day Date, start Int64, source String, severity String,
  events AggregateFunction(count), first AggregateFunction(min, Int64), last AggregateFunction(max, Int64)
) ENGINE = AggregatingMergeTree PARTITION BY received_day ORDER BY (start, source, severity)
SETTINGS index_granularity = 1024`
export const COUNTED = `SELECT received_day, toInt64(floor(at / ${STEP_MS}) * ${STEP_MS}) AS start, source, severity,
  countState() AS events, minState(at) AS first, maxState(at) AS last FROM soc_logs`
export const BY_COUNTED = 'GROUP BY received_day, start, source, severity'
const CREATE_COUNTING = `CREATE MATERIALIZED VIEW IF NOT EXISTS soc_log_counting TO ${COUNTS}
  AS ${COUNTED} ${BY_COUNTED}`

/**
 * All texts of an event, folded, with an index of their parts of four letters: most of a day is then
 * left out unread. Events of before have no index and are read. Servers before 21 know none.
 */
export const TEXTS = 'searched'
export const KNOWS_INDEXES = 21
const FOLDED = `arrayStringConcat(arrayConcat(folded_columns, folded_texts), '\\n')`
const PLAIN = `lower(replaceAll(replaceAll(arrayStringConcat(arrayConcat([${COMMON_FIELDS.map(
  (name) => `ifNull(toNullable(\`${name}\`), '')`,
).join(', ')}], field_texts), '\\n'), '\u0130', 'i'), '\u212a', 'k'))`
const ADD_TEXTS = [
  `ALTER TABLE soc_logs ADD COLUMN IF NOT EXISTS ${TEXTS} String
    MATERIALIZED if(empty(folded_columns), ${PLAIN}, ${FOLDED}) CODEC(ZSTD)`,
  `ALTER TABLE soc_logs ADD INDEX IF NOT EXISTS ${TEXTS}_parts ${TEXTS}
    TYPE ngrambf_v1(4, 131072, 2, 0) GRANULARITY 1`,
]

/** An acknowledged event is on disk: older servers have no such setting and leave it to the kernel. */
const KNOWS_FSYNC = 22
const FSYNC = ', fsync_after_insert = 1, fsync_part_directory = 1'

export const LOCAL = 'soc_logs'
export const IDS_TABLE = 'soc_log_ids'
export const DISTRIBUTED = 'soc_logs_all'
/** Has one row for every shard that answers. */
export const SHARDS = 'soc_shards'

export async function createTables(
  server: { command(statement: string): Promise<void> },
  major: number,
  cluster: string | undefined,
): Promise<void> {
  const settings = major >= KNOWS_FSYNC ? FSYNC : ''
  await server.command(LOGS(settings))
  await server.command(IDS(settings))
  await server.command(CREATE_COUNTS)
  await server.command(CREATE_COUNTING)
  const isIndexed = major >= KNOWS_INDEXES
  if (isIndexed) for (const statement of ADD_TEXTS) await server.command(statement)
  if (cluster === undefined) return
  for (const [name, database, table] of [
    [DISTRIBUTED, 'currentDatabase()', LOCAL],
    [SHARDS, 'system', 'one'],
  ]) {
    const from = database === 'system' ? 'system.one' : table
    await server.command(
      `CREATE TABLE IF NOT EXISTS ${name} AS ${from} ENGINE = Distributed(${cluster}, ${database}, ${table})`,
    )
  }
  if (!isIndexed) return
  await server.command(`ALTER TABLE ${DISTRIBUTED} ADD COLUMN IF NOT EXISTS ${TEXTS} String`)
}
