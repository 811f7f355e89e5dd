import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { storable, storableJson } from '../../../db/storable.ts'
import type { Tables } from '../../../db/tables.ts'
import { deviceById } from '../devices/devices.store.ts'
import { type Metric, readMetrics, readTopic, type SparkplugMessage } from '../domain/sparkplug.ts'

/** Counts the connections of a node: a death that was announced at an earlier birth is an old one. */
const BIRTH_NUMBER = 'bdSeq'
/** Of group, node and device together; an index of the database takes no longer ones. */
const LONGEST_KEY = 600
/** As many as the logs may make known: beyond this a gateway makes up names. */
const MOST_UNMANAGED = 20_000

/**
 * What gateways say about themselves and what is behind them, read and never answered. A birth makes
 * a device known, a death marks it as gone, data is kept as its last values.
 */
export function createSparkplug(deps: {
  db: Kysely<Tables>
  internalWorkflow: Changes['internalWorkflow']
}) {
  const births = new Map<string, Metric['value']>()
  /** Names by alias, as the birth gave them. */
  const aliases = new Map<string, Map<string, string>>()

  async function take(message: SparkplugMessage, metrics: Metric[]) {
    const { group, kind, node, device } = message
    const key = [group, node, ...(device ? [device] : [])].join('/')
    if (key.length > LONGEST_KEY || storable(key) !== key) return
    if (kind === 'NDEATH' && isOld(key, metrics)) return
    await deps.internalWorkflow(async (change) => {
      const id = await deviceOf(change, key, device ?? node)
      if (id === undefined) return
      if (kind === 'NBIRTH') births.set(key, numberOf(metrics))
      if (kind.endsWith('BIRTH')) learnNames(key, metrics)
      if (kind.endsWith('DEATH')) return goOffline(change, key, id)
      if (kind.endsWith('BIRTH')) await comeOnline(change, id)
      await keepMetrics(change, id, namesFor(key, metrics), kind.endsWith('BIRTH'))
    })
  }

  const numberOf = (metrics: Metric[]) =>
    metrics.find(({ name }) => name === BIRTH_NUMBER)?.value ?? null
  const isOld = (key: string, metrics: Metric[]) =>
    births.has(key) && births.get(key) !== numberOf(metrics)

  function learnNames(key: string, metrics: Metric[]) {
    aliases.set(
      key,
      new Map(metrics.flatMap(({ name, alias }) => (name && alias ? [[alias, name]] : []))),
    )
  }

  const namesFor = (key: string, metrics: Metric[]) =>
    Object.fromEntries(
      metrics.flatMap(({ name, alias, value }) => {
        const known = name ?? aliases.get(key)?.get(alias ?? '') ?? (alias && `alias ${alias}`)
        return known ? [[known, value]] : []
      }),
    )

  return {
    /** What cannot be read is left alone: it is the gateway's business. */
    async receive(topic: string, payload: Buffer): Promise<void> {
      const message = readTopic(topic)
      const metrics = message && readMetrics(payload)
      if (message && metrics) await take(message, metrics)
    },
  }
}

/**
 * The gateway that was enrolled under this name, or a device of its own that is not managed;
 * undefined where there are too many of those.
 */
async function deviceOf({ tx, publish }: ChangeContext, key: string, name: string) {
  const known = await tx
    .selectFrom('cps_devices')
    .select('id')
    .where((where) =>
      where.or([
        where('sparkplug_node', '=', key),
        where('discovery_key', '=', `sparkplug:${key}`),
      ]),
    )
    .executeTakeFirst()
  if (known) return known.id
  if ((await countUnmanaged(tx)) >= MOST_UNMANAGED) return undefined
  const id = randomUUIDv7()
  await tx
    .insertInto('cps_devices')
    .values({
      ...{ id, name: name.slice(0, 200), managed: false, attest_every_s: 0 },
      device_type: key.split('/').length > 2 ? 'field device' : 'gateway',
      protocols: ['sparkplug_b'],
      discovery_key: `sparkplug:${key}`,
      status: 'offline',
    })
    .onConflict((conflict) => conflict.column('discovery_key').doNothing())
    .execute()
  const { id: kept } = await tx
    .selectFrom('cps_devices')
    .select('id')
    .where('discovery_key', '=', `sparkplug:${key}`)
    .executeTakeFirstOrThrow()
  await publish('device.created', await deviceById(tx, kept))
  return kept
}

async function countUnmanaged(tx: ChangeContext['tx']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM cps_devices WHERE NOT managed`.execute(tx)
  return rows[0]?.count ?? 0
}

async function comeOnline({ tx, publish }: ChangeContext, id: string) {
  const { rows } = await sql<{ id: string }>`
    UPDATE cps_devices SET last_seen_at = now(), updated_at = now(),
      status = CASE status WHEN 'offline' THEN 'online' ELSE status END,
      protocols = CASE WHEN 'sparkplug_b' = ANY(protocols) THEN protocols
        ELSE protocols || 'sparkplug_b'::text END
    WHERE id = ${id} RETURNING id`.execute(tx)
  for (const row of rows) await publish('device.updated', await deviceById(tx, row.id))
}

/** With a node go the devices behind it. Enrolled ones are known by their own connection. */
async function goOffline({ tx, publish }: ChangeContext, key: string, id: string) {
  const { rows } = await sql<{ id: string }>`
    UPDATE cps_devices SET status = 'offline', updated_at = now()
    WHERE status = 'online' AND NOT managed
      AND (id = ${id} OR starts_with(discovery_key, ${`sparkplug:${key}/`}))
    RETURNING id`.execute(tx)
  for (const row of rows) await publish('device.updated', await deviceById(tx, row.id))
}

/** Data adds to the birth's values, a new birth begins anew. */
async function keepMetrics(
  { tx }: ChangeContext,
  id: string,
  metrics: Record<string, Metric['value']>,
  isBirth: boolean,
) {
  const values = sql`${storableJson(metrics)}::jsonb`
  await sql`
    INSERT INTO cps_metrics (device_id, metrics) VALUES (${id}, ${values})
    ON CONFLICT (device_id) DO UPDATE SET updated_at = now(),
      metrics = ${isBirth ? values : sql`cps_metrics.metrics || ${values}`}`.execute(tx)
  await tx
    .updateTable('cps_devices')
    .set({ last_seen_at: new Date() })
    .where('id', '=', id)
    .execute()
}
