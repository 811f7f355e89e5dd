import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { aggregateEvents, type Group, type GroupBy } from '@manara/log-query/aggregate'
import { compareText } from '@manara/log-query/fold'
import { compilePredicate } from '@manara/log-query/predicate'
import fc from 'fast-check'
import { asking, DAY, NOW, selecting, storedLog } from '../ports/log-store.contract.ts'
import type { LogSelection, Position, StoredLog, TimeRange } from '../ports/log-store.ts'
import { type Engine, openEngine } from './duckdb-logs/engine.ts'
import { groupsOf, packGroups, placesIn } from './duckdb-logs/pack-groups.ts'

const SETTINGS = {
  memoryMb: 256,
  filterMb: 64,
  reserveMb: 0,
  checkpoints: { events: 13, leastLogBytes: 0 },
}
const MINUTE = 60_000

/** Times that often meet the edge of a minute, an hour or a bucket, some before 1970. */
const anyMoment = fc
  .tuple(
    fc.constantFrom(NOW, NOW - DAY, -3 * DAY),
    fc.integer({ min: -130, max: 130 }),
    fc.constantFrom(0, 1, 59_999, 30_000, -1),
  )
  .map(([base, minutes, rest]) => base + minutes * MINUTE + rest)

const anyLog = fc.record({
  id: fc.integer({ min: 0, max: 400 }).map((number) => `id-${number}`),
  at: anyMoment,
  source: fc.constantFrom('sshd', 'audit', 'Debug', ''),
  severity: fc.constantFrom('info', 'high'),
  message: fc.constantFrom('Accepted publickey', 'failed Password for root', 'from 45.77.13.201'),
  user: fc.constantFrom('root', 'ann', null),
  fields: fc.record({
    hash: fc.constantFrom('9f86d081884c', '9F86D0819999', 'eins'),
    tags: fc.oneof(
      fc.constantFrom('root', 'x', null),
      fc.array(fc.constantFrom('root', 'x', 'y', '\u001e', null), { maxLength: 3 }),
    ),
  }),
})

const anyRange: fc.Arbitrary<TimeRange> = fc.record({
  from: fc.option(anyMoment, { nil: undefined }),
  to: fc.option(anyMoment, { nil: undefined }),
})

const QUERIES = [
  ...['*', 'source:sshd', 'NOT severity:high', 'source:(audit OR debug)'],
  ...['accepted', '"ED PASSWORD f"', '5.77.13.20', 'hash:9f86d0819999', '884c OR publickey'],
  ...['id:id-7', 'f86d0818* AND id:id-1*', 'never-stored'],
]
const STEPS = ['append', 'restart', 'forget', 'tear', 'retain', 'rewrite'] as const

/** All that was stored and not deleted, as the slowest store would keep it. */
type Naive = { logs: StoredLog[] }

async function compare(store: Engine, { logs }: Naive, q: string, time: TimeRange) {
  const selection = { ...selecting(q), time }
  const matches = compilePredicate(selection.query)
  const expected = logs.filter(
    (one) =>
      matches(one) &&
      (time.from === undefined || one.at >= time.from) &&
      (time.to === undefined || one.at < time.to),
  )
  const countOf = (of: (one: StoredLog) => string) =>
    Object.fromEntries([...Map.groupBy(expected, of)].map(([key, all]) => [key, all.length]))

  assert.equal((await store.search(asking(q, { time, limit: 5 }), {})).total, expected.length)
  const newest = await store.search(asking(q, { time, limit: 1_000, countEvents: 0 }), {})
  const inOrder = expected.toSorted((a, b) => b.at - a.at || compareText(b.id, a.id))
  assert.deepEqual(
    newest.logs.map(({ id }) => id),
    inOrder.map(({ id }) => id),
  )
  await comparePages(store, selection, inOrder)
  for (const bucketMs of [MINUTE, 90_000, 60 * MINUTE, DAY]) {
    const { buckets } = await store.histogram({ ...selection, bucketMs, by: 'source' }, {})
    const flat = buckets.flatMap(({ from, counts }) =>
      Object.entries(counts).map(([source, count]) => [`${from} ${source}`, count]),
    )
    const start = (at: number) => Math.floor(at / bucketMs) * bucketMs
    assert.deepEqual(
      Object.fromEntries(flat),
      countOf(({ at, source }) => `${start(at)} ${source}`),
    )
  }
  const { values } = await store.topValues({ ...selection, field: 'source', limit: 9 }, {})
  assert.deepEqual(
    Object.fromEntries(values.map(({ value, count }) => [value, count])),
    countOf(({ source }) => source),
  )
  await compareValues(store, selection, expected)
  const by: GroupBy[] = [{ field: 'severity' }, { bucketMs: 60 * MINUTE }]
  const asked = { by, measures: [{ kind: 'count' as const }], mostGroups: 1_000 }
  const named = (groups: { keys: unknown[] }[]) =>
    groups.map((group) => JSON.stringify(group)).toSorted()
  assert.deepEqual(
    named((await store.aggregate({ ...selection, ...asked }, {})).groups),
    named(aggregateEvents(expected, asked).groups),
  )
}

/** Page after page, as scans and cursors go, from both ends. */
async function comparePages(store: Engine, selection: LogSelection, newestFirst: StoredLog[]) {
  const limit = 7
  for (const order of ['asc', 'desc'] as const) {
    const seen: string[] = []
    let after: Position | undefined
    for (;;) {
      const page = { ...selection, skip: 0, limit, order, after, countUpTo: 0 }
      const { logs } = await store.search(page, {})
      seen.push(...logs.map(({ id }) => id))
      after = logs.at(-1)
      if (logs.length < limit) break
    }
    const all = newestFirst.map(({ id }) => id)
    assert.deepEqual(seen, order === 'desc' ? all : all.reverse())
  }
}

/** By one place or several, and of lists: an event counts once for each value that it has. */
async function compareValues(store: Engine, selection: LogSelection, expected: StoredLog[]) {
  const measures = [{ kind: 'count' as const }]
  for (const places of [{ field: 'tags' }, { field: 'user', also: ['tags', 'absent'] }]) {
    const asked = { by: [places], measures, mostGroups: 1_000 }
    const pairs = ({ groups }: { groups: Group[] }) =>
      groups.map(({ keys, values }) => `${keys} ${values}`).toSorted()
    const naive = aggregateEvents(expected, asked)
    assert.deepEqual(pairs(await store.aggregate({ ...selection, ...asked }, {})), pairs(naive))
    const groups = naive.groups.filter(({ keys }) => keys[0] !== null)
    const { values } = await store.topValues({ ...selection, ...places, limit: 9 }, {})
    assert.deepEqual(
      values.map(({ value, count }) => `${value} ${count}`).toSorted(),
      pairs({ groups }),
    )
  }
  const { fields } = await store.fields(selection, {})
  const lists = expected.map(({ fields: { tags } }) =>
    [tags ?? null].flat().filter((one) => one !== null),
  )
  const summary = fields.find(({ name }) => name === 'tags')
  assert.deepEqual(
    [summary?.count ?? 0, summary?.distinct ?? 0],
    [lists.filter((list) => list.length > 0).length, new Set(lists.flat()).size],
  )
}

test('answers are those of the events, through duplicates, restarts, lost notes, retention and other readings', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          step: fc.constantFrom(...STEPS),
          logs: fc.array(fc.tuple(anyLog, fc.nat(1)), { maxLength: 60 }),
          isLastRewrite: fc.boolean(),
          readings: fc.array(anyLog, { minLength: 1, maxLength: 7 }),
          q: fc.constantFrom(...QUERIES),
          time: anyRange,
        }),
        { minLength: 2, maxLength: 5 },
      ),
      async (steps) => {
        const directory = mkdtempSync(path.join(tmpdir(), 'duckdb-rollups-'))
        t.after(() => rmSync(directory, { recursive: true, force: true }))
        const open = () =>
          openEngine(
            { ...SETTINGS, directory, segmentEvents: 9, partitionEvents: 60 },
            () => {},
            () => {},
          )
        const naive: Naive = { logs: [] }
        let store = await open()
        let today = 0
        for (const { step, logs, readings, isLastRewrite, q, time } of steps) {
          if (step === 'restart' || step === 'forget' || step === 'tear') {
            await store.close()
            if (step !== 'restart') harmNotes(directory, step)
            store = await open()
          }
          // The second half often comes while the file of the first is settled.
          for (const half of [logs.slice(0, logs.length >> 1), logs.slice(logs.length >> 1)]) {
            // Midnight may pass among events that are appended together, which wait side by side.
            const before = today
            const taken = half.map(([one, later]) => {
              today = Math.max(today, before + later)
              return storedLog({ ...one, received_at: NOW + (before + later) * DAY })
            })
            const groups = groupsOf(taken)
            const known = placesIn(groups, await store.append(await packGroups(taken, groups)))
            naive.logs.push(...taken.filter((_, place) => !known.has(place)))
          }
          if (step === 'retain') {
            const daysBySource = { Debug: 0, sshd: 2 }
            await store.retain({ days: 30, bytes: undefined, daysBySource }, NOW + today * DAY)
            naive.logs = naive.logs.filter(({ source, received_at }) => {
              const days = source === 'Debug' ? 0 : source === 'sshd' ? 2 : 30
              const dayStart = Math.floor(received_at / DAY) * DAY
              return NOW + today * DAY < dayStart + (1 + days) * DAY
            })
          }
          if (step === 'rewrite') {
            // Of each event that is there another reading, but for every third.
            const next = naive.logs.map((one, at): StoredLog => {
              const reading = readings[at % readings.length] as (typeof readings)[number]
              return at % 3 === 0 ? one : { ...one, ...reading, id: one.id, message: one.message }
            })
            const fresh = next.filter((one, at) => one !== naive.logs[at])
            const unknown = storedLog({ id: 'never stored' })
            assert.deepEqual(await store.rewrite([...fresh, unknown]), {
              ...{ rewritten: fresh.length, tooNew: 0 },
            })
            naive.logs = next
            if (isLastRewrite) await store.finishRewrite()
          }
          await compare(store, naive, q, time)
        }
        await store.close()
      },
    ),
    { numRuns: 25 },
  )
})

/** As in a store that has none yet, or after the power went. */
function harmNotes(directory: string, how: 'forget' | 'tear') {
  for (const file of readdirSync(directory)) {
    if (!/[.](?:ids|rollups|filters|loose-filters)$/.test(file)) continue
    const place = path.join(directory, file)
    const bytes = readFileSync(place)
    if (how === 'forget') rmSync(place)
    else if (bytes.length % 2) truncateSync(place, Math.floor(bytes.length / 2))
    else writeFileSync(place, bytes.fill(0x5a, bytes.length >> 1))
  }
}
