import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { asking, ids, NOW, selecting, series, storedLog } from './log-store.contract.ts'
import type { LogStore, StoredLog } from './log-store.ts'

/** How every log store gives stored events another reading; `open` as for `describeLogStore`. */
export function describeRewriting(name: string, open: (t: TestContext) => Promise<LogStore>) {
  test(`${name}: another reading takes the place of an event, and keeps its id, arrival and text`, async (t) => {
    const before = storedLog({
      id: 'one',
      source: 'way',
      at: NOW - 5_000,
      fields: { sent: 'by them' },
    })
    const other = storedLog({ id: 'two', source: 'way', at: NOW - 4_000 })
    const store = await open(t)
    await store.append([before, other])
    const after: StoredLog = {
      ...before,
      ...{ at: NOW - 3_600_000, source: 'firewall', host: 'fw-1', severity: 'high', user: 'leila' },
      ...{ src_ip: '192.0.2.9', fields: { sent: 'by them', 'event.action': 'refused' } },
      original: '{"sent":["by them"]}',
    }
    for (const logs of [[after, storedLog({ id: 'three' })], [after]]) {
      assert.equal((await store.rewrite(logs)).tooNew, 0)
      await store.finishRewrite()
      assert.deepEqual(await store.byId('one'), after)
      assert.deepEqual(await store.byId('two'), other)
      assert.deepEqual(ids((await store.search(asking('*'))).logs), ['two', 'one'])
    }
    assert.deepEqual(ids((await store.search(asking('refused'))).logs), ['one'])
    assert.deepEqual(ids((await store.search(asking('source:way'))).logs), ['two'])
    assert.equal((await store.append([before])).duplicates, 1, 'sent again it is known')
    assert.deepEqual(await store.sources(), [
      { source: 'firewall', count: 1, firstAt: after.at, lastAt: after.at },
      { source: 'way', count: 1, firstAt: other.at, lastAt: other.at },
    ])
    const { buckets } = await store.histogram({
      ...selecting('*'),
      ...{ bucketMs: 3_600_000, by: 'severity' },
    })
    assert.deepEqual(
      buckets.map(({ counts }) => counts),
      [{ high: 1, info: 1 }],
    )
  })

  test(`${name}: while events are read anew, each is found once, as before or as after`, async (t) => {
    const logs = series(120)
    const store = await open(t)
    await store.append(logs)
    const reading = (log: StoredLog, round: number): StoredLog => ({
      ...log,
      // Its time changes too, so that it moves among the others.
      at: log.at + (round % 2 ? 1 : -1) * 3_600_000,
      source: `reading-${round}`,
      fields: { ...log.fields, round: `word${round}` },
    })
    let isDone = false
    async function rewriteAll() {
      for (let round = 1; round <= 4; round += 1) {
        for (let from = 0; from < logs.length; from += 40) {
          const part = logs.slice(from, from + 40)
          await store.rewrite(part.map((log) => reading(log, round)))
        }
        await store.finishRewrite()
      }
      isDone = true
    }
    async function look() {
      for (let asked = 0; asked < 3 || !isDone; asked += 1) {
        const found = await store.search(asking('*', { limit: 200 }))
        assert.equal(found.total, logs.length)
        assert.deepEqual(ids(found.logs).toSorted(), ids(logs).toSorted())
        const some = await store.search(asking('sshd OR word1 OR word2 OR word3 OR word4'))
        assert.equal(some.total, logs.length)
        const { values } = await store.topValues({ ...selecting('*'), field: 'source', limit: 9 })
        const sum = values.reduce((all, { count }) => all + count, 0)
        assert.equal(sum, logs.length)
      }
    }
    await Promise.all([rewriteAll(), look()])
    const last = logs.map((log) => reading(log, 4))
    const { logs: found } = await store.search(asking('source:reading-4', { limit: 200 }))
    const byId = (a: StoredLog, b: StoredLog) => (a.id < b.id ? -1 : 1)
    assert.deepEqual(found.toSorted(byId), last.toSorted(byId))
  })
}
