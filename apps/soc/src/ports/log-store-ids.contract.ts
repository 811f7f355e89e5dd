import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, ids, NOW, storedLog } from './log-store.contract.ts'
import type { LogStore, StoredLog } from './log-store.ts'

/** How every log store finds events by their ids; `open` as for `describeLogStore`. */
export function describeIds(name: string, open: (t: TestContext) => Promise<LogStore>) {
  test(`${name}: events are found by their ids, whatever those say of their time`, async (t) => {
    const uuid = (at: number) => {
      const hex = at.toString(16).padStart(12, '0')
      return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`
    }
    const logs = [
      ['ours', uuid(NOW), NOW],
      ['of a sender who was away for long', uuid(NOW - 5 * DAY), NOW],
      ['of a clock that runs ahead', uuid(NOW + 5 * DAY), NOW - DAY],
      ['of nobody’s time', 'filebeat-1', NOW - 2 * DAY],
    ].map(([message, id, received_at]) =>
      storedLog({ message, id, received_at, at: received_at } as Partial<StoredLog>),
    )
    const store = await open(t)
    await store.append(logs)
    const asked = [...ids(logs), uuid(NOW - DAY), 'filebeat-2']
    const found = await store.byIds(asked)
    assert.deepEqual(ids(found).toSorted(), ids(logs).toSorted())
    for (const log of logs) assert.deepEqual(await store.byIds([log.id]), [log])
    assert.deepEqual(await store.byIds([uuid(NOW - DAY)]), [])
    assert.deepEqual(await store.byIds([]), [])
    const today = await store.byIds(asked, { from: NOW - DAY / 2 })
    assert.deepEqual(ids(today).toSorted(), ids(logs.slice(0, 2)).toSorted())
    const before = await store.byIds(asked, { to: NOW - DAY })
    assert.deepEqual(ids(before), ['filebeat-1'])
  })
}
