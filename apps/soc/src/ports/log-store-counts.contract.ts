import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  aggregateEvents,
  type Group,
  type GroupBy,
  type Measure,
} from '@manara/log-query/aggregate'
import { asking, NOW, selecting, series, storedLog } from './log-store.contract.ts'
import type { LogStore, StoredLog } from './log-store.ts'

const keyed = ({ groups }: { groups: Group[] }) =>
  groups.toSorted((a, b) => (JSON.stringify(a.keys) < JSON.stringify(b.keys) ? -1 : 1))

/** How every log store counts what it holds; `open` as for `describeLogStore`. */
export function describeLogCounts(name: string, open: (t: TestContext) => Promise<LogStore>) {
  const holding = async (t: TestContext, logs: StoredLog[]) => {
    const store = await open(t)
    await store.append(logs)
    return store
  }

  test(`${name}: the histogram counts by time and value`, async (t) => {
    const store = await holding(t, series(12))
    const request = { ...selecting('accepted'), bucketMs: 3_600_000 }
    const { buckets, partial } = await store.histogram({ ...request, by: 'severity' })
    assert.deepEqual(buckets, [
      { from: NOW - 2 * 3_600_000, counts: { high: 3, info: 2 } },
      { from: NOW - 3_600_000, counts: { high: 3, info: 3 } },
      { from: NOW, counts: { info: 1 } },
    ])
    assert.equal(partial, null)
    const plain = await store.histogram({ ...request, query: { kind: 'all' } })
    assert.deepEqual(
      plain.buckets.map(({ counts }) => counts),
      [{ count: 5 }, { count: 6 }, { count: 1 }],
    )
  })

  test(`${name}: the histogram counts sources that are called as an object's own names`, async (t) => {
    const sources = ['constructor', '__proto__', 'constructor']
    const store = await holding(
      t,
      sources.map((source, n) => storedLog({ id: `${n}`, source, message: 'accepted' })),
    )
    for (const query of ['*', 'accepted']) {
      const request = { ...selecting(query), bucketMs: 3_600_000, by: 'source' } as const
      const { buckets } = await store.histogram(request)
      const counts = Object.entries(buckets[0]?.counts ?? {}).toSorted()
      assert.deepEqual(counts, [
        ['__proto__', 1],
        ['constructor', 2],
      ])
    }
  })

  test(`${name}: what is asked of a field is counted as it is found`, async (t) => {
    const tagged = storedLog({ id: 'tagged', fields: { tags: ['a', 'b'], index: 2 } })
    const store = await holding(t, [...series(12), tagged])
    for (const q of ['index:3', 'index:>=2', 'index:/^[1-3]$/', 'NOT index:2', 'tags:a', '"b"']) {
      const { logs } = await store.search(asking(q))
      assert.notEqual(logs.length, 0)
      for (const by of [undefined, 'severity', 'source'] as const) {
        const { buckets } = await store.histogram({ ...selecting(q), bucketMs: 60_000, by })
        const counts = buckets.flatMap(({ counts }) => Object.values(counts))
        assert.equal(
          counts.reduce((sum, count) => sum + count, 0),
          logs.length,
          `${q} by ${by}`,
        )
      }
      const names = new Set(logs.flatMap(({ fields }) => Object.keys(fields)))
      assert.deepEqual(new Set((await store.fieldNames(selecting(q))).names), names, q)
      const { fields } = await store.fields(selecting(q))
      for (const field of ['index', 'tags']) {
        const holding = logs.filter(({ fields }) => field in fields).length
        assert.equal(fields.find((one) => one.name === field)?.count ?? 0, holding, q)
        const asked = { ...selecting(q), field: 'index', limit: 20 }
        const { values } = await store.topValues(asked)
        assert.equal(
          values.reduce((sum, { count }) => sum + count, 0),
          logs.length,
          q,
        )
      }
    }
  })

  test(`${name}: top values of a column, a field and a list`, async (t) => {
    const store = await holding(t, [
      ...series(6),
      storedLog({ id: 'list', host: null, fields: { tags: ['a', 'b'], index: 3 } }),
      storedLog({ id: 'list-2', host: null, fields: { tags: ['a', null] } }),
    ])
    const top = async (field: string, limit = 10) =>
      (await store.topValues({ ...selecting('*'), field, limit })).values
    assert.deepEqual(await top('host', 2), [
      { value: 'web-0', count: 2 },
      { value: 'web-1', count: 2 },
    ])
    assert.deepEqual(await top('tags'), [
      { value: 'a', count: 2 },
      { value: 'b', count: 1 },
    ])
    assert.deepEqual((await top('index'))[0], { value: '3', count: 2 })
    assert.deepEqual(await top('absent'), [])
    assert.deepEqual((await top('timestamp'))[0], { value: String(NOW), count: 3 })
  })

  test(`${name}: what stands in several places is counted in all of them, once for an event`, async (t) => {
    const logs = [
      storedLog({ id: 'column', user: 'root', fields: { tags: ['x', 'x'] } }),
      storedLog({ id: 'both', user: 'root', fields: { 'user.name': 'root' } }),
      storedLog({ id: 'field', fields: { 'user.name': ['root', 'ann', 'root'] } }),
      storedLog({ id: 'other', user: 'bob', fields: { 'user.name': 'ann', UserName: '7' } }),
      storedLog({ id: 'neither', fields: { 'user.name': null } }),
    ]
    const store = await holding(t, logs)
    const user = { field: 'user', also: ['user.name', 'UserName', 'absent'] }
    const { values } = await store.topValues({ ...selecting('*'), ...user, limit: 9 })
    assert.deepEqual(values, [
      { value: 'root', count: 3 },
      { value: 'ann', count: 2 },
      { value: '7', count: 1 },
      { value: 'bob', count: 1 },
    ])
    for (const { value, count } of values) {
      const q = `user:${value} OR user.name:${value} OR UserName:${value}`
      assert.equal((await store.search(asking(q))).total, count, value)
    }
    const tags = await store.topValues({ ...selecting('*'), field: 'tags', limit: 9 })
    assert.deepEqual(tags.values, [{ value: 'x', count: 1 }], 'twice in one list is one event')
    const measures: Measure[] = [
      { kind: 'count' },
      { kind: 'distinct', ...user },
      { kind: 'max', field: 'absent', also: ['UserName', 'user'] },
    ]
    for (const by of [[], [user], [{ field: 'absent', also: ['host', 'tags'] }, user]]) {
      const asked = { by, measures, mostGroups: 100 }
      const found = await store.aggregate({ ...selecting('*'), ...asked })
      assert.deepEqual(keyed(found), keyed(aggregateEvents(logs, asked)), JSON.stringify(by))
    }
    const { groups } = await store.aggregate({
      ...selecting('*'),
      ...{ by: [], measures: measures.slice(0, 2), mostGroups: 1 },
    })
    assert.deepEqual(groups, [{ keys: [], values: [5, 4] }], 'each of a list, in all places')
    const key = { field: 'source', also: ['user'] }
    const sources = await store.topValues({ ...selecting('*'), ...key, limit: 2 })
    assert.deepEqual(sources.values, [
      { value: 'sshd', count: 5 },
      { value: 'root', count: 2 },
    ])
    const counted = { by: [key], measures: measures.slice(0, 1), mostGroups: 9 }
    assert.deepEqual(
      keyed(await store.aggregate({ ...selecting('*'), ...counted })),
      keyed(aggregateEvents(logs, counted)),
    )
  })

  test(`${name}: groups and their measures`, async (t) => {
    const logs = [
      storedLog({ id: 'a', at: 0, host: 'web', fields: { bytes: 10, tags: ['x', 'y', 'x'] } }),
      storedLog({ id: 'b', at: 59_999, host: 'web', fields: { bytes: '30', tags: 'x' } }),
      storedLog({ id: 'c', at: 60_000, host: null, fields: { bytes: 'many', user: 'r' } }),
      storedLog({ id: 'd', at: 60_001, host: 'db', fields: { bytes: -5 } }),
      storedLog({ id: 'e', at: 120_000, host: 'db', fields: { bytes: 2.5, tags: [] } }),
    ]
    const store = await holding(t, logs)
    const number = (kind: 'min' | 'max' | 'sum' | 'avg' | 'distinct') => ({ kind, field: 'bytes' })
    const measures: Measure[] = [
      { kind: 'count' },
      ...(['min', 'max', 'sum', 'avg', 'distinct'] as const).map(number),
      { kind: 'distinct', field: 'tags' },
      ...[0, 50, 95, 100].map((at) => ({ kind: 'percentile' as const, field: 'bytes', at })),
    ]
    for (const by of [
      [],
      [{ field: 'host' }],
      [{ field: 'tags' }],
      [{ field: 'absent' }],
      [{ bucketMs: 60_000 }],
      [{ field: 'host' }, { bucketMs: 60_000 }, { field: 'tags' }],
    ] satisfies GroupBy[][]) {
      const asked = { by, measures, mostGroups: 100 }
      const found = await store.aggregate({ ...selecting('*'), ...asked })
      assert.deepEqual([found.hasMore, found.partial], [false, null])
      assert.deepEqual(keyed(found), keyed(aggregateEvents(logs, asked)), JSON.stringify(by))
    }
    const few = { by: [{ field: 'id' }], measures, mostGroups: 2 }
    const cut = await store.aggregate({ ...selecting('*'), ...few })
    assert.deepEqual([cut.groups.length, cut.hasMore], [2, true])
    const some = { by: [{ field: 'host' }], measures: measures.slice(0, 1), mostGroups: 9 }
    const only = await store.aggregate({ ...selecting('host:web'), ...some })
    assert.deepEqual(only.groups, [{ keys: ['web'], values: [2] }])
  })

  test(`${name}: the field list has types and counts`, async (t) => {
    const store = await holding(t, [
      storedLog({ host: null, fields: { pid: 1, ok: true, host: 'own' } }),
      storedLog({ fields: { pid: 'one', tags: ['x', 2] } }),
      ...[['x', 'y'], ['y', 'x'], ['y', null, 'x', 'y'], 'x', ['z\u001e', 7], [null], null].map(
        (tags) => storedLog({ message: 'lists', fields: { tags } }),
      ),
    ])
    const { fields } = await store.fields(selecting('*'))
    const of = (wanted: string) => fields.find(({ name: found }) => found === wanted)
    assert.deepEqual(of('pid'), { name: 'pid', types: ['text', 'number'], count: 2, distinct: 2 })
    assert.deepEqual(of('ok')?.types, ['boolean'])
    assert.deepEqual(of('tags')?.types, ['text', 'number'])
    assert.deepEqual([of('id')?.count, of('id')?.distinct], [9, 9])
    assert.equal(of('host')?.count, 8)
    assert.equal(of('fields.host')?.count, 1, 'a field that has the name of a column')
    assert.equal(of('user'), undefined, 'what no event has is not listed')
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['id', 'message', 'severity', 'source', 'host', 'tags', 'pid', 'fields.host', 'ok'],
    )
    const { fields: lists } = await store.fields(selecting('lists'))
    assert.deepEqual(
      lists.find(({ name: found }) => found === 'tags'),
      {
        ...{ name: 'tags', types: ['text', 'number'], count: 5, distinct: 4 },
      },
    )
    const { names } = await store.fieldNames(selecting('*'))
    assert.deepEqual(names.toSorted(), ['host', 'ok', 'pid', 'tags'])
    assert.deepEqual(await store.fieldNames(selecting('never-stored')), {
      names: [],
      partial: null,
    })
  })

  test(`${name}: sources and stats follow what was stored`, async (t) => {
    const store = await open(t)
    assert.deepEqual(await store.sources(), [])
    assert.deepEqual(await store.stats(), { events: 0, bytes: 0, oldestAt: null })
    await store.append([
      storedLog({ source: 'b', at: NOW - 5 }),
      storedLog({ source: 'a', at: NOW - 9 }),
      storedLog({ source: 'b', at: NOW - 1 }),
    ])
    assert.deepEqual(await store.sources(), [
      { source: 'a', count: 1, firstAt: NOW - 9, lastAt: NOW - 9 },
      { source: 'b', count: 2, firstAt: NOW - 5, lastAt: NOW - 1 },
    ])
    const { events, bytes, oldestAt } = await store.stats()
    assert.deepEqual({ events, oldestAt }, { events: 3, oldestAt: NOW - 9 })
    assert.ok(bytes > 0)
  })
}
