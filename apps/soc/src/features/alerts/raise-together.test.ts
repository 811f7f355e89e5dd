import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertCreate } from '@manara/soc-contract/alerts'
import { permissionsOf } from '@manara/soc-contract/permissions'
import type { FastifyRequest } from 'fastify'
import { CompiledQuery } from 'kysely'
import { createOperatorChange } from '../../core/change/operator-change.ts'
import { rememberCaller } from '../../core/identity/caller.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { modeOf } from '../../core/mode/mode.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { withoutRaw } from './alert-record.ts'
import { type Raised, raiseAlert } from './raise-alert.ts'
import { raiseAlerts } from './raise-alerts.ts'
import { raiseAtOnce } from './raise-at-once.ts'

const KIM = '0190a000-0000-7000-8000-000000000001'
const kim: Principal = {
  username: 'kim',
  role: 'analyst',
  permissions: permissionsOf('analyst'),
  kind: 'user',
}
const noteInCases = async () => {}

/** The same numbers for the same seed, so that a failure can be looked at again. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Random = ReturnType<typeof createRandom>

/** Few titles and IOCs, so that many are equal; nothing depends on the moment it is posted. */
function anAlert(random: Random, oneInClosed: number): AlertCreate {
  const minute = (at: number) => new Date(Date.UTC(2026, 2, 1, 0, at))
  const first = random(500)
  return {
    title: ['Beacon', 'say "hi", {x}\\', 'تنبيه 🙂'][random(3)] as string,
    source: ['ids', 'edr'][random(2)] as string,
    severity: (['low', 'high'] as const)[random(2)] as 'low',
    // Mostly the same: those who differ are not written together.
    status: random(oneInClosed) === 0 ? 'closed' : 'new',
    iocs: [[], ['10.0.0.7', 'b,"c"'], ['b,"c"', '10.0.0.7']][random(3)] as string[],
    tags: random(2) ? ['a b', 'NULL', ''] : [],
    mitre_techniques: [],
    host: random(2) ? 'web-1' : undefined,
    raw: random(3) ? null : { text: 'a\u0000b', n: random(9) },
    first_seen_at: minute(first),
    last_seen_at: minute(first + random(90)),
  }
}

const ROWS = `SELECT title, source, severity, status, resolution, iocs, tags, host, raw, dedup_hash,
    occurrence_count, first_seen_at, last_seen_at, reopened_count, reopened_at IS NULL AS never
  FROM alerts ORDER BY dedup_hash`
// What is each one's own; of equal ones that came together the first is told with all their times.
const OWN = `'{id,created_at,updated_at,reopened_at,closed_at,first_seen_at,last_seen_at}'::text[]`
const AUDITED = `SELECT alert.dedup_hash, entry.action, entry.outcome, entry.actor, entry.actor_kind,
    entry.actor_id, entry.before, entry.after - ${OWN} AS after
  FROM audit_log AS entry JOIN alerts AS alert ON entry.target = 'alert:' || alert.id
  ORDER BY alert.dedup_hash, entry.id`
const TOLD = `SELECT alert.dedup_hash, told.event, told.data - ${OWN} AS data
  FROM outbox AS told JOIN alerts AS alert ON alert.id = (told.data->>'id')::uuid
  ORDER BY alert.dedup_hash, told.id`

async function open(t: { after(done: () => unknown): void }) {
  const connection = await testDatabase()
  const database = await openDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  await database.kysely
    .insertInto('users')
    .values({ id: KIM, username: kim.username, password_hash: '', role: kim.role })
    .execute()
  const changes = createOperatorChange({
    database,
    mode: modeOf('real'),
    recordAudit: async () => {},
    wake() {},
  })
  return { database, changes }
}

async function stored({ kysely }: Database) {
  const read = async (text: string) => (await kysely.executeQuery(CompiledQuery.raw(text))).rows
  return { alerts: await read(ROWS), audited: await read(AUDITED), told: await read(TOLD) }
}

const answer = ({ alert, isNew, isReopened }: Raised) => ({
  hash: alert.dedup_hash,
  count: alert.occurrence_count,
  isNew,
  isReopened,
})

/** As a request of kim's, without the server around it. */
function aRequest(): FastifyRequest {
  const request = { ip: '192.0.2.1', id: 'r' } as FastifyRequest
  const session = { principal: kim, id: 's', expiresAt: Number.POSITIVE_INFINITY }
  rememberCaller(request, {
    session: session as never,
    credential: { kind: 'token', value: '' },
  })
  return request
}

const WAYS = {
  'in one transaction': { atOnce: undefined, oneInClosed: 12 },
  'in one statement': { atOnce: raiseAtOnce, oneInClosed: 150 },
}
for (const [way, { atOnce, oneInClosed }] of Object.entries(WAYS)) {
  test(`alerts that are written together ${way} are what they would be one by one`, async (t) => {
    const [together, alone] = [await open(t), await open(t)]
    const raising = together.changes.inGroups<AlertCreate, Raised>(
      (changes, alerts) => raiseAlerts(noteInCases, changes, alerts),
      atOnce,
    )
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = createRandom(seed)
      const group = Array.from({ length: 1 + random(40) }, () => anAlert(random, oneInClosed))
      const inGroup = await Promise.all(group.map((alert) => raising.ask(aRequest(), alert)))
      const inTurn: Raised[] = []
      for (const alert of group) {
        const raise = alone.changes.internalWorkflow(
          (change) => raiseAlert(noteInCases, change, alert),
          kim,
        )
        inTurn.push(await raise)
      }
      assert.deepEqual(inGroup.map(answer), inTurn.map(answer), `answers of seed ${seed}`)
      const [ours, expected] = [await stored(together.database), await stored(alone.database)]
      assert.deepEqual(ours.alerts, expected.alerts, `alerts of seed ${seed}`)
      assert.deepEqual(ours.told, expected.told, `events of seed ${seed}`)
      assert.deepEqual(ours.audited, expected.audited, `audit entries of seed ${seed}`)
    }
  })
}

test('what the audit log and the listeners get of a new alert is what its caller got', async (t) => {
  const { database, changes } = await open(t)
  const refused = async () => assert.fail('one statement is enough')
  const raising = changes.inGroups<AlertCreate, Raised>(refused, raiseAtOnce)
  const random = createRandom(7)
  const group = Array.from({ length: 8 }, (_, at) => ({
    ...anAlert(random, 1_000),
    title: `Alert ${at}`,
    first_seen_at: at % 2 ? undefined : new Date('2026-03-01T00:00:00.120Z'),
  }))
  const raised = await Promise.all(group.map((alert) => raising.ask(aRequest(), alert)))
  for (const { alert } of raised) {
    const { rows } = await database.kysely.executeQuery(
      CompiledQuery.raw(
        `SELECT actor_id, after, data FROM audit_log, outbox
         WHERE target = 'alert:' || $1 AND data->>'id' = $1`,
        [alert.id],
      ),
    )
    const shown = withoutRaw(alert)
    assert.deepEqual(rows, [{ actor_id: KIM, after: shown, data: shown }])
  }
})

test('of two who wait for the same settled alert one has opened it again', async (t) => {
  const { database, changes } = await open(t)
  const db = database.kysely
  const alert = { ...anAlert(createRandom(1), 1_000), title: 'comes again' }
  const raise = () =>
    changes.internalWorkflow((change) => raiseAlert(noteInCases, change, alert), kim)
  const { id } = (await raise()).alert
  await db.updateTable('alerts').set({ status: 'closed' }).where('id', '=', id).execute()
  const waiters = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('alerts').select('id').where('id', '=', id).forUpdate().execute()
    const both = [raise(), raise()]
    const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND datname = current_database() AND query LIKE '%INSERT INTO alerts%'`
    while ((await db.executeQuery(CompiledQuery.raw(waits))).rows.length < 2);
    return both
  })
  const opened = (await Promise.all(waiters)).map(({ isReopened }) => isReopened)
  assert.deepEqual(opened.toSorted(), [false, true])
})
