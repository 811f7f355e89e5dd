import { randomUUIDv7 } from 'node:crypto'
import { storable } from '@manara/soc-contract/storable'
import { sql } from 'kysely'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { storableJson } from '../../../db/storable.ts'
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
  internalWorkflow: Changes['internalWorkflow']
  /** Our own broker tells who is connected; of another one only messages do. */
  seesConnections: boolean
}) {
  async function take(message: SparkplugMessage, metrics: Metric[]) {
    const { group, kind, node, device } = message
    const key = [group, node, ...(device ? [device] : [])].join('/')
    if (key.length > LONGEST_KEY || storable(key) !== key) return
    await deps.internalWorkflow(async (change) => {
      const known = await deviceOf(change, key, device ?? node)
      if (!known) return
      const { id, status, managed } = known
      const isByMessages = !managed || !deps.seesConnections
      if (kind.endsWith('DEATH')) {
        const isOld = kind === 'NDEATH' && (await wasBornSince(change, id, metrics))
        return isOld ? undefined : goOffline(change, key, id, isByMessages)
      }
      const isBirth = kind.endsWith('BIRTH')
      // Births come once: one that was missed must not hide a device that speaks.
      if (isBirth || (status === 'offline' && isByMessages)) await comeOnline(change, id)
      await (isBirth ? keepBirth(change, id, metrics) : keepData(change, id, metrics))
      await change.tx
        .updateTable('cps_devices')
        .set({ last_seen_at: new Date() })
        .where('id', '=', id)
        .execute()
    })
  }

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
    .select(['id', 'status', 'managed'])
    .where((where) =>
      where.or([
        where('sparkplug_node', '=', key),
        where('discovery_key', '=', `sparkplug:${key}`),
      ]),
    )
    // It may have been heard before it was enrolled.
    .orderBy('managed', 'desc')
    .executeTakeFirst()
  if (known) return known
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
  const kept = await tx
    .selectFrom('cps_devices')
    .select(['id', 'status', 'managed'])
    .where('discovery_key', '=', `sparkplug:${key}`)
    .executeTakeFirstOrThrow()
  await publish('device.created', await deviceById(tx, kept.id))
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

/** With a node go the devices behind it. */
async function goOffline(
  { tx, publish }: ChangeContext,
  key: string,
  id: string,
  isByMessages: boolean,
) {
  const { rows } = await sql<{ id: string }>`
    UPDATE cps_devices SET status = 'offline', updated_at = now()
    WHERE status = 'online' AND (id = ${id} AND ${isByMessages}
      OR NOT managed AND starts_with(discovery_key, ${`sparkplug:${key}/`}))
    RETURNING id`.execute(tx)
  for (const row of rows) await publish('device.updated', await deviceById(tx, row.id))
}

const saidBy = ({ tx }: ChangeContext, id: string) =>
  tx
    .selectFrom('cps_metrics')
    .select(['metrics', 'aliases'])
    .where('device_id', '=', id)
    .executeTakeFirst()

/** Whether a death is that of an earlier connection. */
async function wasBornSince(change: ChangeContext, id: string, metrics: Metric[]) {
  const born = (await saidBy(change, id))?.metrics[BIRTH_NUMBER]
  const died = metrics.find(({ name }) => name === BIRTH_NUMBER)?.value ?? null
  return born !== undefined && born !== died
}

type Names = Record<string, string>

const named = (metrics: Metric[], names: Names) =>
  Object.fromEntries(
    metrics.flatMap(({ name, alias, value }) => {
      const known = name ?? names[alias ?? ''] ?? (alias && `alias ${alias}`)
      return known ? [[known, value]] : []
    }),
  )

/** A birth begins anew, and says by which numbers its values are called from now on. */
async function keepBirth({ tx }: ChangeContext, id: string, metrics: Metric[]) {
  const names = metrics.flatMap(({ name, alias }) => (name && alias ? [[alias, name]] : []))
  const values = storableJson(named(metrics, {}))
  const aliases = storableJson(Object.fromEntries(names))
  await sql`
    INSERT INTO cps_metrics (device_id, metrics, aliases)
    VALUES (${id}, ${values}::jsonb, ${aliases}::jsonb)
    ON CONFLICT (device_id) DO UPDATE SET updated_at = now(),
      metrics = excluded.metrics, aliases = excluded.aliases`.execute(tx)
}

/** Data adds to the values of the birth. */
async function keepData(change: ChangeContext, id: string, metrics: Metric[]) {
  const isByNumber = metrics.some(({ name }) => name === null)
  const names = isByNumber ? (await saidBy(change, id))?.aliases : undefined
  await sql`
    INSERT INTO cps_metrics AS known (device_id, metrics)
    VALUES (${id}, ${storableJson(named(metrics, names ?? {}))}::jsonb)
    ON CONFLICT (device_id) DO UPDATE SET updated_at = now(),
      metrics = known.metrics || excluded.metrics`.execute(change.tx)
}
