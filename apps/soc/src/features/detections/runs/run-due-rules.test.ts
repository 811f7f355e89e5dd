import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { unavailable } from '@manara/kit/errors'
import type { Alert } from '@manara/soc-contract/alerts'
import type { DetectionRule, RuleRun } from '@manara/soc-contract/detections'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import { openDatabase } from '../../../db/database.ts'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { ruleRunning } from '../../../testing/rule-running.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog } from '../../../testing/test-postgres.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'
import { runDueRules } from './run-due-rules.ts'

const MINUTE = 60_000

/** Logs and records that several schedules share, with one clock that only tests move. */
async function setUp(t: TestContext, soc: TestSoc) {
  const as = await soc.signIn()
  await soc.query('DELETE FROM detection_rules')
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-schedule-'))
  const logs = openDuckdbLogs({ directory: path.join(directory, 'logs'), log: silentLog })
  t.after(async () => {
    await logs.close()
    rmSync(directory, { recursive: true, force: true })
  })
  // Ahead of the real time, by which the service's own schedule goes: nothing is due for that one.
  const clock = { now: Date.now() + 100 * 24 * 60 * MINUTE }

  /** The schedule of one process, on its own connections. */
  async function process(store: LogStore = logs) {
    const database = await openDatabase({ connection: soc.connection, log: silentLog })
    t.after(() => database.close())
    const running = ruleRunning({ database, logs: store, now: () => clock.now })
    const stopping = new AbortController()
    const { signal } = stopping
    return {
      runSchedule: () => runDueRules({ ...running, log: silentLog, signal }),
      stop: () => stopping.abort(),
    }
  }

  async function rule(body: object = {}): Promise<DetectionRule> {
    const reply = await soc.call('POST', '/detections/rules', {
      as,
      body: { name: `Scheduled ${randomUUID()}`, query: 'bad', enabled: false, ...body },
    })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    const { id } = reply.body as DetectionRule
    // On, and since now: by the clock of the test.
    await soc.query(
      `UPDATE detection_rules SET enabled = true, schedule_enabled = true,
         next_run_at = $2::timestamptz + schedule_interval_minutes * interval '1 minute',
         covered_until = $2 WHERE id = $1`,
      [id, new Date(clock.now)],
    )
    return reply.body
  }
  const runs = async ({ id }: DetectionRule): Promise<RuleRun[]> =>
    (await soc.call('GET', `/detections/rules/${id}/runs?order=asc`, { as })).body.items
  const alerts = async ({ id }: DetectionRule): Promise<Alert[]> =>
    (await soc.call('GET', `/alerts?rule_id=${id}&order=asc`, { as })).body.items
  const nextRun = async ({ id }: DetectionRule) =>
    Date.parse((await soc.call('GET', `/detections/rules/${id}`, { as })).body.next_run_at)

  return {
    clock,
    logs,
    process,
    rule,
    runs,
    alerts,
    nextRun,
    counts: async (of: DetectionRule) => (await runs(of)).map((run) => run.match_count),
    occurrences: async (of: DetectionRule) =>
      (await alerts(of)).reduce((sum, alert) => sum + alert.occurrence_count, 0),
    arrive: (...events: Partial<StoredLog>[]) =>
      logs.append(events.map((event) => storedLog({ message: 'bad', at: clock.now, ...event }))),
  }
}

test('the schedule', async (t) => {
  const soc = await startTestSoc(t)

  await t.test(
    'a due rule runs once, on its beat, over what arrived since the last good run',
    async (t) => {
      const { clock, process, rule, runs, nextRun, counts, arrive } = await setUp(t, soc)
      const { runSchedule: run } = await process()
      const one = await rule({ schedule_interval_minutes: 5 })
      const begun = clock.now
      await arrive({ id: 'before', received_at: begun - 10 * MINUTE }, { id: 'a' })
      assert.equal(await run(), false)
      assert.deepEqual(await runs(one), [])

      clock.now = begun + 5 * MINUTE
      await run()
      await run()
      const [first] = await runs(one)
      assert.deepEqual(await counts(one), [1])
      assert.deepEqual(first?.sample_log_ids, ['a'])
      assert.equal(first?.trigger_mode, 'scheduled')
      assert.equal(first?.window_to, new Date(clock.now).toISOString())
      assert.ok(Date.parse(first?.window_from ?? '') <= begun)
      assert.deepEqual([first?.lateness_ms, first?.gap_ms], [0, 0])
      assert.equal(await nextRun(one), begun + 10 * MINUTE)

      // An event of long ago that arrives now is of this window.
      await arrive({ id: 'late', at: begun - 1_000 * MINUTE, received_at: clock.now + MINUTE })
      clock.now = begun + 10 * MINUTE + 7_000
      await run()
      assert.deepEqual(await counts(one), [1, 1])
      assert.equal((await runs(one))[1]?.lateness_ms, 7_000)
    },
  )

  await t.test('missed runs are made up for by one, which tells how late it was', async (t) => {
    const { clock, process, rule, runs, nextRun, arrive } = await setUp(t, soc)
    const { runSchedule: run } = await process()
    const one = await rule({ schedule_interval_minutes: 5 })
    const begun = clock.now
    await arrive({ id: 'a' }, { id: 'b', received_at: begun + 61 * MINUTE })
    clock.now = begun + 62 * MINUTE
    await run()
    const [only, ...others] = await runs(one)
    assert.equal(others.length, 0)
    assert.deepEqual(
      [only?.match_count, only?.lateness_ms, only?.gap_ms],
      [2, 57 * MINUTE, 57 * MINUTE],
    )
    assert.equal(await nextRun(one), begun + 65 * MINUTE)
  })

  await t.test('a failed run is told, repeated soon, and leaves no gap', async (t) => {
    const { clock, logs, process, rule, runs, nextRun, occurrences, arrive } = await setUp(t, soc)
    let isAway = true
    const { runSchedule: run } = await process({
      ...logs,
      scan: (selection, limits) => {
        if (isAway) throw unavailable('the log store is away: try again shortly')
        return logs.scan(selection, limits)
      },
    })
    const one = await rule({ schedule_interval_minutes: 30 })
    const begun = clock.now
    await arrive({ id: 'a' })
    clock.now = begun + 30 * MINUTE
    await run()
    const [failed] = await runs(one)
    assert.deepEqual(
      [failed?.status, failed?.error, failed?.match_count],
      ['failed', 'the log store is away: try again shortly', 0],
    )
    assert.equal(await nextRun(one), clock.now + MINUTE)
    isAway = false
    clock.now += MINUTE
    await run()
    const [, good] = await runs(one)
    assert.deepEqual([good?.status, good?.match_count, good?.gap_ms], ['completed', 1, MINUTE])
    assert.equal(good?.window_from, failed?.window_from)
    assert.equal(await occurrences(one), 1)
  })

  await t.test(
    'an event that becomes searchable after its time of arrival is not missed',
    async (t) => {
      const { clock, process, rule, counts, occurrences, arrive } = await setUp(t, soc)
      const { runSchedule: run } = await process()
      const one = await rule({ schedule_interval_minutes: 5 })
      await arrive({ id: 'a', received_at: clock.now + 5 * MINUTE - 10 })
      clock.now += 5 * MINUTE
      await run()
      await arrive({ id: 'slow', received_at: clock.now - 5 })
      clock.now += 5 * MINUTE
      await run()
      clock.now += 5 * MINUTE
      await run()
      // Windows overlap, yet each event is counted and raised once.
      assert.deepEqual(await counts(one), [1, 1, 0])
      assert.equal(await occurrences(one), 2)
    },
  )

  await t.test('two processes share the rules, and each runs once', async (t) => {
    const { clock, process, rule, counts, occurrences, arrive } = await setUp(t, soc)
    const rules = await Promise.all(Array.from({ length: 20 }, () => rule()))
    await arrive({ id: 'a' }, { id: 'b' })
    const processes = await Promise.all([process(), process()])
    for (let round = 1; round <= 3; round += 1) {
      clock.now += 5 * MINUTE
      await Promise.all(processes.map(({ runSchedule }) => runSchedule()))
    }
    for (const one of rules) {
      assert.deepEqual(await counts(one), [2, 0, 0])
      assert.equal(await occurrences(one), 2)
    }
  })

  await t.test(
    'a process that dies amid a run is followed by another, without gap or double',
    async (t) => {
      const { clock, logs, process, rule, runs, occurrences, arrive } = await setUp(t, soc)
      const reached = Promise.withResolvers<void>()
      const killed = Promise.withResolvers<void>()
      let batches = 0
      // It records a part of what it finds, and is never heard of again.
      const { runSchedule: dying } = await process({
        ...logs,
        async *scan(selection) {
          for await (const batch of logs.scan(selection)) {
            batches += 1
            if (batches > 3) {
              reached.resolve()
              await killed.promise
            }
            yield batch
          }
        },
      })
      const { runSchedule: living } = await process()
      const one = await rule({ schedule_interval_minutes: 5 })
      await arrive(...Array.from({ length: 2_100 }, (_, index) => ({ id: `e${index}` })))
      clock.now += 5 * MINUTE
      const death = dying()
      await reached.promise

      await living()
      assert.deepEqual(await runs(one), [], 'the lease is respected')
      clock.now += 6 * MINUTE
      await living()
      const [run] = await runs(one)
      assert.deepEqual([run?.status, run?.match_count], ['completed', 2_100])
      assert.equal(await occurrences(one), 2_100)

      // Should it come back after all, it finds that its rule is not its own any more.
      killed.resolve()
      await death
      assert.equal((await runs(one)).length, 1)
      assert.equal(await occurrences(one), 2_100)
    },
  )

  await t.test(
    'a service that stops amid a run ends it, and the next covers its window',
    async (t) => {
      const { clock, logs, process, rule, runs, arrive } = await setUp(t, soc)
      const stopping = await process({
        ...logs,
        async *scan(selection, limits) {
          void stopping.stop()
          yield* logs.scan(selection, limits)
        },
      })
      const next = await process()
      const one = await rule({ schedule_interval_minutes: 5 })
      await arrive({ id: 'a' })
      clock.now += 5 * MINUTE
      await stopping.runSchedule()
      clock.now += MINUTE
      await next.runSchedule()
      const [ended, good] = await runs(one)
      assert.deepEqual([ended?.status, ended?.match_count], ['failed', 0])
      assert.match(ended?.error ?? '', /stopped amid the run/)
      assert.deepEqual([good?.status, good?.match_count], ['completed', 1])
    },
  )

  await t.test('many due rules are found in one scan of the logs', async (t) => {
    const { clock, logs, process, rule, counts, arrive } = await setUp(t, soc)
    let scans = 0
    const { runSchedule: run } = await process({
      ...logs,
      scan(selection, limits) {
        scans += 1
        return logs.scan(selection, limits)
      },
    })
    const rules = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        rule({ query: `number:${number}`, schedule_interval_minutes: 1 + (number % 5) }),
      ),
    )
    await arrive(
      ...Array.from({ length: 40 }, (_, number) => ({ id: `n${number}`, fields: { number } })),
    )
    clock.now += 5 * MINUTE
    await run()
    assert.equal(scans, 1)
    for (const one of rules) assert.deepEqual(await counts(one), [1])
  })

  await t.test('a rule whose recording fails does not stop the others', async (t) => {
    const { clock, process, rule, runs, counts, arrive } = await setUp(t, soc)
    const { runSchedule: run } = await process()
    const [broken, sound] = await Promise.all([rule({ name: 'Broken' }), rule({ name: 'Sound' })])
    await soc.query(`UPDATE detection_rules SET query = 'host:(' WHERE id = '${broken.id}'`)
    await arrive({ id: 'a' })
    clock.now += 5 * MINUTE
    await run()
    assert.equal((await runs(broken))[0]?.status, 'failed')
    assert.match((await runs(broken))[0]?.error ?? '', /^query: .*column/)
    assert.deepEqual(await counts(sound), [1])
  })

  await t.test('a change amid a run keeps the schedule it gave the rule', async (t) => {
    const { clock, logs, process, rule, nextRun, arrive } = await setUp(t, soc)
    const one = await rule({ schedule_interval_minutes: 5 })
    const { runSchedule: run } = await process({
      ...logs,
      async *scan(selection) {
        await soc.call('PATCH', `/detections/rules/${one.id}`, {
          as: await soc.signIn(),
          body: { schedule_enabled: false },
        })
        yield* logs.scan(selection)
      },
    })
    await arrive({ id: 'a' })
    clock.now += 5 * MINUTE
    await run()
    assert.ok(Number.isNaN(await nextRun(one)))
  })

  await t.test('a threshold is reached across runs, once', async (t) => {
    const { clock, process, rule, counts, alerts, arrive } = await setUp(t, soc)
    const { runSchedule: run } = await process()
    const one = await rule({
      kind: 'threshold',
      threshold: { count: 3, group_by: ['host'], window_seconds: 600 },
      schedule_interval_minutes: 5,
    })
    for (const id of ['a', 'b', 'c', 'd']) {
      await arrive({ id, host: 'web-1' })
      clock.now += 5 * MINUTE
      await run()
    }
    // Every five minutes within ten: never three.
    assert.deepEqual(await counts(one), [0, 0, 0, 0])
    await arrive({ id: 'e', host: 'web-1' }, { id: 'f', host: 'web-1' })
    clock.now += 5 * MINUTE
    await run()
    clock.now += 5 * MINUTE
    await run()
    assert.deepEqual(await counts(one), [0, 0, 0, 0, 1, 0])
    assert.deepEqual((await alerts(one))[0]?.raw?.log_ids, ['d', 'e', 'f'])
  })

  await t.test('new terms: what was there before the rule is known to it', async (t) => {
    const { clock, process, rule, counts, arrive } = await setUp(t, soc)
    await arrive(
      { id: 'old', user: 'kim', at: clock.now - 60 * MINUTE, received_at: clock.now - 60 * MINUTE },
      {
        id: 'too old',
        user: 'ana',
        at: clock.now - 40 * 24 * 60 * MINUTE,
        received_at: clock.now - 60 * MINUTE,
      },
    )
    const { runSchedule: run } = await process()
    const one = await rule({
      kind: 'new_terms',
      new_terms: { fields: ['user'], look_back_days: 30 },
      schedule_interval_minutes: 5,
    })
    await arrive({ id: 'a', user: 'kim' }, { id: 'b', user: 'ana' }, { id: 'c', user: 'lee' })
    clock.now += 5 * MINUTE
    await run()
    await arrive({ id: 'd', user: 'lee' }, { id: 'e', user: 'new' })
    clock.now += 5 * MINUTE
    await run()
    assert.deepEqual(await counts(one), [2, 1])
  })
})
