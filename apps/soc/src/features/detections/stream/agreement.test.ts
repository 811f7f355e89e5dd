import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DetectionRule, RuleCreate } from '@manara/soc-contract/detections'
import fc from 'fast-check'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import { batchOf, type LogBatch } from '../../../core/arrivals/log-batch.ts'
import type { SharedRules } from '../../../core/arrivals/matched.ts'
import { openDatabase } from '../../../db/database.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { ruleRunning } from '../../../testing/rule-running.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { until } from '../../../testing/until.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { createRule } from '../rules/create-rule.ts'
import { scanRules } from '../runs/scan-rules.ts'
import { createMatching } from './match-where-read.ts'
import { type Matcher, startMatcher } from './matcher.ts'
import { createStream } from './stream.ts'
import { createWindowWatch } from './watch-windows.ts'

/** One stream on engines of its own, without the rest of the service. */
async function setUp(t: TestContext, mostWaiting?: number, isShared = false) {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-agree-'))
  const logs = openDuckdbLogs({ directory, log: silentLog })
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  const db = database.kysely
  const running = ruleRunning({ database, logs })
  const matchers: Matcher[] = []
  const matching = createMatching()
  let shared: SharedRules | undefined
  const stream = createStream({
    ...running,
    ...(isShared ? { logs: { ...logs, engine: 'clickhouse' } } : {}),
    stream: 'test',
    isReady: database.isAvailable,
    startMatcher() {
      const matcher = startMatcher()
      matchers.push(matcher)
      return matcher
    },
    shareRules(rules) {
      shared = rules
    },
    log: silentLog,
    ...(mostWaiting === undefined ? {} : { mostWaiting }),
  })
  stream.start()
  t.after(async () => {
    await stream.stop()
    await logs.close()
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    db,
    logs,
    running,
    stream,
    matchers,
    shared: () => shared,
    /** As from a thread that reads events, which may not have heard of the last change yet. */
    batchAsRead(events: StoredLog[], hasHeard: boolean): LogBatch {
      if (hasHeard) matching.setRules(shared)
      const part = matching.begin()
      for (const log of events) part?.add(log, 0)
      return { ...batchOf(events), matched: part?.finish() }
    },
    create: (body: object) =>
      running.internalWorkflow((change) =>
        createRule({ isFieldMissing: () => false, now: Date.now }, change, RuleCreate.parse(body)),
      ),
    async claimed(): Promise<string[]> {
      const rows = await db
        .selectFrom('detection_hits')
        .select(['rule_id', 'log_id'])
        .where('is_superseded', '=', false)
        .execute()
      return rows.map(({ rule_id, log_id }) => `${rule_id} ${log_id}`).sort()
    },
    /** What the search of scheduled runs finds, over everything and at once. */
    async scheduled(rules: DetectionRule[]): Promise<string[]> {
      const now = Date.now()
      const terms = new Set<string>()
      const found: string[] = []
      const watched = rules.map((rule) => ({
        rule,
        queries: ruleQueries(rule, now),
        time: {},
        received: {},
      }))
      await scanRules(logs, watched, async ({ rule }, hits) => {
        for (const { log, term } of hits) {
          const isNew = term === undefined || terms.size < terms.add(`${rule.id} ${term}`).size
          if (isNew) found.push(`${rule.id} ${log.id}`)
        }
      })
      return found.sort()
    },
  }
}

const word = fc.constantFrom('a', 'b', 'c')
const user = fc.constantFrom('kim', 'lee', 'Kim')
const arbitraryEvents = fc.array(
  fc.record({
    word,
    user,
    gapMs: fc.integer({ min: 1, max: 40_000 }),
    lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300_000 })),
  }),
  {
    minLength: 5,
    maxLength: 60,
  },
)
const query = fc.oneof(
  word.map((value) => `word:${value}`),
  fc.tuple(word, user).map(([value, name]) => `word:${value} OR user:${name}`),
  word.map((value) => `NOT word:${value}`),
)
const windowSeconds = fc.integer({ min: 10, max: 300 })
const arbitraryRule = fc.oneof(
  query.map((text) => ({ kind: 'query', query: text })),
  fc
    .record({
      query,
      count: fc.integer({ min: 2, max: 4 }),
      windowSeconds,
      isDistinct: fc.boolean(),
    })
    .map((of) => ({
      kind: 'threshold',
      query: of.query,
      threshold: {
        count: of.count,
        group_by: ['user'],
        window_seconds: of.windowSeconds,
        distinct_field: of.isDistinct ? 'word' : null,
      },
    })),
  fc
    .record({
      steps: fc.array(fc.tuple(query, fc.integer({ min: 1, max: 3 })), {
        minLength: 2,
        maxLength: 3,
      }),
      windowSeconds,
      isOrdered: fc.boolean(),
    })
    .map((of) => ({
      kind: 'sequence',
      query: '*',
      sequence: {
        steps: of.steps.map(([text, count]) => ({
          query: text,
          ...(count > 1 && { threshold: { count, group_by: ['user'], window_seconds: 60 } }),
        })),
        group_by: ['user'],
        window_seconds: of.windowSeconds,
        is_ordered: of.isOrdered,
      },
    })),
  query.map((text) => ({
    kind: 'new_terms',
    query: text,
    new_terms: { fields: ['user', 'word'], look_back_days: 1 },
  })),
)

test('arriving events and scheduled runs find the same hits, whatever the rules, batches and order of arrival', async (t) => {
  const { logs, stream, batchAsRead, create, claimed, scheduled } = await setUp(t)
  const before: string[] = []
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      arbitraryEvents,
      fc.array(arbitraryRule, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 30 }),
      fc.infiniteStream(fc.boolean()),
      async (events, rules, batch, hasHeard) => {
        const run = `run-${runs++}`
        const made: DetectionRule[] = []
        for (const [n, rule] of rules.entries()) {
          const query = `run:${run} AND (${rule.query})`
          made.push(await create({ ...rule, name: `${run} ${n}`, query }))
        }
        stream.refresh()
        let at = Date.now() - 3_600_000
        const stored = events.map(({ gapMs, lateMs, ...of }, n) => {
          at += gapMs
          const fields = { run, word: of.word }
          const log = storedLog({
            id: `${run}-${n}`,
            at,
            user: of.user,
            fields,
            received_at: Date.now(),
          })
          return { log, arrival: at + lateMs }
        })
        const arriving = stored.toSorted((a, b) => a.arrival - b.arrival).map(({ log }) => log)
        for (let from = 0; from < arriving.length; from += batch) {
          const part = await logs.append(arriving.slice(from, from + batch))
          stream.onStored(batchAsRead(part.stored, hasHeard.next().value))
        }
        const expected = [...before, ...(await scheduled(made))].sort()
        await until(
          'the same hits',
          async () => (await claimed()).join() === expected.join(),
        ).catch(async () => assert.deepEqual(await claimed(), expected))
        before.push(...expected.filter((hit) => !before.includes(hit)))
      },
    ),
    { numRuns: 10, endOnFailure: true },
  )
  assert.deepEqual(await claimed(), before.sort())
})

test('what came after its rule is new, also when what came later was looked at first', async (t) => {
  const { logs, running, create, claimed, scheduled } = await setUp(t)
  const rule = await create({
    name: 'New',
    kind: 'new_terms',
    query: 'word:*',
    new_terms: { fields: ['word'], look_back_days: 1 },
  })
  const events = ['a', 'b'].map((word, n) =>
    storedLog({ id: word, fields: { word }, at: Date.now(), received_at: Date.now() + n }),
  )
  await logs.append(events)
  const windows = createWindowWatch({ ...running, log: silentLog })
  for (const log of events.toReversed()) {
    windows.touch(rule, [log])
    await until('it is looked at', async () => {
      await windows.evaluate()
      return !windows.isTouched()
    })
  }
  assert.deepEqual(await claimed(), await scheduled([rule]))
  assert.equal((await claimed()).length, 2)
})

test('steps that arrive in the wrong order, each looked at before the next comes', async (t) => {
  const { logs, stream, create, claimed, scheduled, db } = await setUp(t)
  const at = Date.now() - 60_000
  const rules = [
    await create({
      name: 'Sequence',
      kind: 'sequence',
      query: '*',
      sequence: {
        steps: [{ query: 'word:a' }, { query: 'word:b' }],
        group_by: ['user'],
        window_seconds: 30,
        is_ordered: true,
      },
    }),
    await create({
      name: 'Threshold',
      kind: 'threshold',
      query: 'word:*',
      threshold: { count: 2, group_by: ['user'], window_seconds: 10, distinct_field: null },
    }),
    await create({
      name: 'New',
      kind: 'new_terms',
      query: 'word:*',
      new_terms: { fields: ['user'], look_back_days: 1 },
    }),
  ]
  stream.refresh()
  const words: [word: string, offsetMs: number][] = [
    ['b', 4_000],
    ['c', 6_000],
    ['a', 0],
  ]
  for (const [word, offset] of words) {
    const log = storedLog({ id: word, at: at + offset, user: 'kim', fields: { word } })
    const { stored } = await logs.append([{ ...log, received_at: Date.now() }])
    stream.onStored(batchOf(stored))
    const expected = await scheduled(rules)
    await until(`${word} is looked at`, async () => (await claimed()).join() === expected.join())
  }
  assert.deepEqual(
    (await claimed()).map((hit) => hit.split(' ')[1]),
    rules
      .map(({ id }) => [id, id === rules[2]?.id ? 'a' : 'b'] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, log]) => log),
  )
  const alerts = await db.selectFrom('alerts').select(['title', 'occurrence_count']).execute()
  assert.deepEqual(
    alerts.map(({ occurrence_count }) => occurrence_count),
    [1, 1, 1],
    'a hit that moved is told once',
  )
})

test('what was matched by the rule as it was before is not its hit', async (t) => {
  const { logs, stream, matchers, create, claimed, db } = await setUp(t)
  const rule = await create({ name: 'Changing', query: 'x:1' })
  stream.refresh()
  const append = async (id: string, x: number) => {
    const { stored } = await logs.append([
      storedLog({ id, fields: { x }, received_at: Date.now() }),
    ])
    stream.onStored(batchOf(stored))
  }
  await append('first', 1)
  await until('it is claimed', async () => (await claimed()).length === 1)
  const matcher = matchers[0] ?? assert.fail('no thread')
  const { match } = matcher
  matcher.match = async (batch) => {
    matcher.match = match
    const found = await match(batch)
    // The rule is changed after the thread has answered and before its answer is used.
    await db
      .updateTable('detection_rules')
      .set({ query: 'x:2', version: rule.version + 1, updated_at: new Date() })
      .where('id', '=', rule.id)
      .execute()
    return found
  }
  await append('second', 1)
  await append('third', 2)
  await until('the new query is in force', async () => (await claimed()).length === 2)
  assert.deepEqual(await claimed(), [`${rule.id} first`, `${rule.id} third`])
})

test('what memory has no room for is caught up from the store', async (t) => {
  const { logs, stream, create, claimed } = await setUp(t, 10)
  const rule = await create({ name: 'All', query: 'x:*' })
  stream.refresh()
  const events = Array.from({ length: 100 }, (_, n) =>
    storedLog({ id: `e-${n}`, fields: { x: n }, received_at: Date.now() }),
  )
  const { stored } = await logs.append(events)
  stream.onStored(batchOf(stored))
  const expected = events.map(({ id }) => `${rule.id} ${id}`).sort()
  await until('all are claimed', async () => (await claimed()).join() === expected.join())
})

test('a stored rule that cannot be read harms no other', async (t) => {
  const { logs, stream, create, claimed, db } = await setUp(t)
  const rule = await create({ name: 'All', query: 'x:*' })
  await create({ name: 'Broken', query: 'y:*' })
  await db
    .updateTable('detection_rules')
    .set({ query: 'y:(' })
    .where('name', '=', 'Broken')
    .execute()
  stream.refresh()
  const one = await logs.append([storedLog({ id: 'one', fields: { x: 1 } })])
  stream.onStored(batchOf(one.stored))
  await until('it is claimed', async () => (await claimed()).join() === `${rule.id} one`)
})

test('a matching thread that died is replaced, and nothing is missed', async (t) => {
  const { logs, stream, matchers, create, claimed } = await setUp(t)
  const rule = await create({ name: 'All', query: 'x:*' })
  stream.refresh()
  for (const id of ['one', 'two']) {
    const { stored } = await logs.append([storedLog({ id, fields: { x: 1 } })])
    stream.onStored(batchOf(stored))
    await until(`${id} is claimed`, async () => (await claimed()).includes(`${rule.id} ${id}`))
    await matchers.at(-1)?.close()
  }
  assert.equal(matchers.length, 2)
})

test('a rule that is changed after the matching thread died is in force all the same', async (t) => {
  const { logs, stream, matchers, create, claimed } = await setUp(t)
  const rule = await create({ name: 'First', query: 'x:*' })
  stream.refresh()
  await until('it is in force', async () => (await stream.match([]))?.length === 0)
  await matchers[0]?.close()
  const later = await create({ name: 'Later', query: 'x:1' })
  stream.refresh()
  const { stored } = await logs.append([storedLog({ fields: { x: 1 }, received_at: Date.now() })])
  stream.onStored(batchOf(stored))
  const expected = [rule, later].map(({ id }) => `${id} ${stored[0]?.id}`).sort()
  await until('both match', async () => (await claimed()).join() === expected.join())
})

test('what was found where events are read counts by the rules as they are, and by no others', async (t) => {
  const { stream, shared, create, claimed } = await setUp(t)
  const rule = await create({ name: 'First', query: 'x:*' })
  stream.refresh()
  await until('it is shared', async () => shared()?.rules.length === 1)
  const before = shared()?.edition ?? 0
  await create({ name: 'Second', query: 'y:*' })
  stream.refresh()
  await until('both are shared', async () => shared()?.rules.length === 2)
  const now = shared()?.edition ?? 0
  /** Of an event that no rule matches and nothing has stored: only who believes it claims it. */
  const tell = (id: string, edition: number) => {
    const log = storedLog({ id })
    const found = [{ rule: rule.id, logs: [0] }]
    stream.onStored({ ...batchOf([log]), matched: { edition, found, seen: {}, hits: { 0: log } } })
  }
  tell('by the rules before', before)
  await until('it is looked at', async () => stream.state().waiting === 0)
  tell('by these rules', now)
  await until('it is claimed', async () => (await claimed()).length > 0)
  assert.deepEqual(await claimed(), [`${rule.id} by these rules`])
})

test('what a vanished process left is taken over by one that shares the store', async (t) => {
  const { logs, stream, create, claimed, db } = await setUp(t, undefined, true)
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const rule = await create({ name: 'All', query: 'x:*' })
  await db
    .updateTable('detection_rules')
    .set({ created_at: ago(60) })
    .execute()
  const received_at = ago(20).getTime()
  await logs.append([storedLog({ id: 'left', fields: { x: 1 }, received_at })])
  await db
    .insertInto('arrival_streams')
    .values({ follower: 'rules', stream: 'gone', received_until: ago(30), seen_at: ago(5) })
    .execute()
  stream.refresh()
  await until('it is claimed', async () => (await claimed()).join() === `${rule.id} left`)
  const rows = await db.selectFrom('arrival_streams').select('stream').execute()
  assert.deepEqual(
    rows.map((row) => row.stream),
    ['test'],
  )
})
