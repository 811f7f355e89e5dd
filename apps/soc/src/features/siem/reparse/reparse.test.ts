import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keyWith, logsOf } from '../../../testing/log-sender.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const DAY = '2026-03-01T'

test('stored events are read again with the parsers of now, and their originals stay', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('detection_engineer')
  const key = await keyWith(soc, 'siem:ingest')
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, ...(body === undefined ? {} : { body }) })
  const events = Array.from({ length: 60 }, (_, at) => ({
    ...{
      id: `event-${at}`,
      source: 'door',
      timestamp: `${DAY}10:00:${String(at).padStart(2, '0')}Z`,
    },
    message:
      at % 3 === 0 ? `somebody knocked ${at}` : `door south opened by omar from 192.0.2.${at}`,
    sent: { by: 'the sender' },
  }))
  await soc.call('POST', '/siem/logs', { headers: { 'x-api-key': key }, body: { events } })
  const { body: parser } = await call('POST', '/siem/parsers', {
    ...{ name: 'Doors', source: 'door' },
    definition: {
      kind: 'grok',
      pattern: 'door %{WORD:door} opened by %{USER:user} from %{IP:src_ip}',
    },
    samples: [{ text: 'door a opened by b from 192.0.2.1', expect: { door: 'a' } }],
  })
  await call('POST', `/siem/parsers/${parser.id}/enable`)

  const over = async (id: string) => {
    let task: { status: string; changed: number } | undefined
    await until('the task is over', async () => {
      task = (await call('GET', `/siem/reparse/${id}`)).body
      return task?.status === 'done'
    })
    return task
  }
  const run = async (body: object) => over((await call('POST', '/siem/reparse', body)).body.id)

  await t.test('a dry run tells what would change, and changes nothing', async () => {
    const task = await run({ source: 'door', dry_run: true })
    assert.partialDeepStrictEqual(task, {
      ...{ total: 60, read: 60, changed: 40, unchanged: 20, failed: 0, progress: 1 },
    })
    const [example] = (task as unknown as { examples: { log_id: string; changes: object[] }[] })
      .examples
    assert.equal(example?.log_id, 'event-1')
    assert.ok(
      example?.changes.some((one) => {
        const { field, before, after } = one as { field: string; before: unknown; after: unknown }
        return field === 'user' && before === null && after === 'omar'
      }),
    )
    assert.equal((await logsOf(soc, 'source=door&q=user:omar')).length, 0)
  })

  await t.test('within a time, and then all; twice is harmless', async () => {
    const range = { from: `${DAY}10:00:00Z`, to: `${DAY}10:00:06Z` }
    assert.partialDeepStrictEqual(await run({ source: 'door', ...range }), { read: 6, changed: 4 })
    assert.partialDeepStrictEqual(await run({ source: 'door' }), { read: 60, changed: 36 })
    assert.partialDeepStrictEqual(await run({ source: 'door' }), { read: 60, changed: 0 })
    const read = await logsOf(soc, 'source=door&q=user:omar')
    assert.equal(read.length, 40)
    assert.partialDeepStrictEqual(
      read.find(({ id }) => id === 'event-1'),
      {
        ...{ message: 'door south opened by omar from 192.0.2.1', src_ip: '192.0.2.1' },
        fields: { sent: { by: 'the sender' }, door: 'south', _parser: `own:${parser.id}` },
      },
    )
    const { body } = await call('GET', '/siem/fields?source=door')
    assert.ok(!body.items.some(({ name }: { name: string }) => name.startsWith('_filled')))
  })

  await t.test('an improved parser replaces what the one before added', async () => {
    const definition = { kind: 'grok', pattern: 'door %{WORD:gate} opened by %{USER}' }
    const samples = [{ text: 'door a opened by b', expect: { gate: 'a' } }]
    await call('PATCH', `/siem/parsers/${parser.id}`, { definition, samples })
    await call('POST', `/siem/parsers/${parser.id}/enable`)
    assert.partialDeepStrictEqual(await run({ source: 'door' }), { changed: 40 })
    const one = (await call('GET', '/siem/logs/event-1')).body
    assert.deepEqual(
      [one.user, one.src_ip, one.fields.door, one.fields.gate],
      [null, null, undefined, 'south'],
    )
  })

  await t.test('what a killed process left is finished, and counted once', async () => {
    await call('POST', `/siem/parsers/${parser.id}/disable`)
    const id = randomUUID()
    // Killed while it wrote the second batch of twenty: the first is counted, this one is not.
    const pending = { read: 20, changed: 13, failed: 0, examples: [], cursor: placeOf(39) }
    await soc.query(
      `INSERT INTO log_reparses (id, source, dry_run, status, total, read, changed, cursor_at, cursor_id,
         pending, claimed_by, claimed_until, created_by, started_at)
       VALUES ('${id}', 'door', false, 'running', 60, 20, 13, ${placeOf(19).at}, '${placeOf(19).id}',
         '${JSON.stringify(pending)}', '${randomUUID()}', now() - interval '1 second', 'omar', now())`,
    )
    assert.partialDeepStrictEqual(await over(id), {
      ...{ read: 60, changed: 40, unchanged: 20, failed: 0 },
    })
    const left = await logsOf(soc, 'source=door&q=gate:south')
    assert.equal(left.length, 13, 'those that it had counted as done are not touched again')
  })

  await t.test('it can be cancelled, is audited, and is not for everybody', async () => {
    const { body: made } = await call('POST', '/siem/reparse', { source: 'nobody' })
    const { status } = await call('DELETE', `/siem/reparse/${made.id}`)
    assert.ok(status === 200 || status === 409, 'unless it was over already')
    await until('it is over', async () => {
      const { body } = await call('GET', `/siem/reparse/${made.id}`)
      return body.status === 'cancelled' || body.status === 'done'
    })
    assert.equal((await call('DELETE', `/siem/reparse/${made.id}`)).status, 409)
    const analyst = await soc.signInAs('analyst')
    const refused = await soc.call('POST', '/siem/reparse', {
      as: analyst,
      body: { source: 'door' },
    })
    assert.equal(refused.status, 403)
    const bad = await call('POST', '/siem/reparse', {
      source: 'door',
      from: `${DAY}11:00:00Z`,
      to: `${DAY}10:00:00Z`,
    })
    assert.equal(bad.status, 400)
    const { body: list } = await call('GET', '/siem/reparse?source=door')
    assert.equal(list.total, 6)
    const rows = await soc.query<{ action: string }>(
      `SELECT DISTINCT action FROM audit_log WHERE action LIKE 'reparse.%' ORDER BY action`,
    )
    assert.ok(rows.some(({ action }) => action === 'reparse.create'))
    assert.ok(rows.some(({ action }) => action === 'reparse.done'))
  })

  function placeOf(at: number) {
    return { at: Date.parse(events[at]?.timestamp ?? ''), id: `event-${at}` }
  }
})
