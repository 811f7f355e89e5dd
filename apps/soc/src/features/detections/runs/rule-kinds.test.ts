import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '@manara/soc-contract/alerts'
import { startTestSoc } from '../../../testing/test-soc.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 8, 0, second)).toISOString()

test('rule kinds over stored logs', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const send = (...events: object[]) => call('POST', '/siem/logs', { events })
  const create = async (body: object) => {
    const reply = await call('POST', '/detections/rules', { name: 'Rule', ...body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body
  }
  const run = async (id: string, body?: object) => {
    const reply = await call('POST', `/detections/rules/${id}/run`, body)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body
  }
  const ids = (answer: { logs: { id: string }[] }) => answer.logs.map(({ id }) => id).sort()
  const alertsOf = async (id: string): Promise<Alert[]> =>
    (await call('GET', `/alerts?rule_id=${id}&order=asc`)).body.items

  await t.test('threshold: the window may cross runs, and the alert names its events', async () => {
    const rule = await create({
      kind: 'threshold',
      query: 'kind:login',
      threshold: { count: 3, group_by: ['user'], window_seconds: 60 },
      alert_title_template: 'Guessing at {user}',
    })
    const login = (id: string, second: number, user: string) => ({
      id,
      kind: 'login',
      user,
      timestamp: at(second),
    })
    await send(login('t1', 0, 'kim'), login('t2', 10, 'kim'), login('t3', 11, 'lee'))
    assert.equal((await run(rule.id)).total, 0)
    await send(login('t4', 20, 'kim'))
    assert.deepEqual(ids(await run(rule.id)), ['t4'])
    const [alert] = await alertsOf(rule.id)
    assert.equal(alert?.title, 'Guessing at kim')
    assert.deepEqual(alert?.raw?.log_ids, ['t1', 't2', 't4'])
    // An event that comes late completes what was there before and after it.
    await send(login('t5', 40, 'lee'))
    await run(rule.id)
    await send(login('t6', 30, 'lee'))
    assert.deepEqual(ids(await run(rule.id)), ['t4', 't5'])
    assert.equal((await alertsOf(rule.id)).length, 2)
  })

  await t.test('threshold over different values, within the time asked for', async () => {
    const rule = await create({
      kind: 'threshold',
      query: 'kind:spray',
      threshold: { count: 3, group_by: ['src_ip'], window_seconds: 60, distinct_field: 'user' },
    })
    await send(
      ...['kim', 'kim', 'lee', 'kim', 'ana'].map((user, index) => ({
        id: `d${index}`,
        kind: 'spray',
        user,
        src_ip: '203.0.113.5',
        timestamp: at(index),
      })),
    )
    assert.deepEqual(ids(await run(rule.id)), ['d4'])
    assert.deepEqual(ids(await run(rule.id, { from: at(0), to: at(4) })), [])
    // Events before the time asked for still count towards it.
    assert.deepEqual(ids(await run(rule.id, { from: at(3), to: at(10) })), ['d4'])
  })

  await t.test('sequence: in order by one group, and in any order', async () => {
    const steps = [{ query: 'step:download' }, { query: 'step:execute' }]
    const sequence = { steps, group_by: ['host'], window_seconds: 60 }
    const ordered = await create({ kind: 'sequence', query: 'kind:seq', sequence })
    const anyOrder = await create({
      kind: 'sequence',
      query: 'kind:seq',
      sequence: { ...sequence, is_ordered: false },
    })
    const event = (id: string, second: number, host: string, step: string) => ({
      id,
      kind: 'seq',
      host,
      step,
      timestamp: at(second),
    })
    await send(event('s1', 1, 'pc-1', 'download'), event('s2', 2, 'pc-2', 'execute'))
    assert.equal((await run(ordered.id)).total, 0)
    await send(event('s3', 3, 'pc-1', 'execute'), event('s4', 4, 'pc-2', 'download'))
    assert.deepEqual(ids(await run(ordered.id)), ['s3'])
    assert.deepEqual(ids(await run(anyOrder.id)), ['s3', 's4'])
    const [alert] = await alertsOf(ordered.id)
    assert.deepEqual(alert?.raw?.log_ids, ['s1', 's3'])
  })

  await t.test(
    'new terms: a value is new once, and again after the look-back without it',
    async () => {
      const login = (id: string, user: string, country: string, day: number) => ({
        id,
        kind: 'geo',
        user,
        country,
        timestamp: new Date(Date.now() - day * 86_400_000).toISOString(),
      })
      await send(login('n1', 'kim', 'EG', 3), login('n2', 'kim', 'SA', 40))
      const rule = await create({
        kind: 'new_terms',
        query: 'kind:geo',
        new_terms: { fields: ['user', 'country'], look_back_days: 30 },
      })
      // Both arrived within the run's window: nothing was there before.
      assert.deepEqual(ids(await run(rule.id)), ['n1', 'n2'])
      await send(
        login('n3', 'KIM', 'eg', 0),
        login('n4', 'kim', 'SA', 0),
        login('n5', 'lee', 'EG', 0),
      )
      const all = ['n1', 'n2', 'n4', 'n5']
      assert.deepEqual(ids(await run(rule.id)), all)
      const again = await run(rule.id)
      assert.deepEqual(ids(again), all, 'what was new then does not take the place of what is now')
      assert.deepEqual(again.run.alert_ids, [])
    },
  )
})
