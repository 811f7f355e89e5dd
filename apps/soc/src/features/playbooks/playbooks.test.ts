import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Playbook } from '@manara/soc-contract/playbooks'
import { cancelAsBegins, playbookRuns, statuses } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('playbooks', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const { call, write, run, start, reaches } = playbookRuns(soc, admin)

  await t.test('GET /soar/playbooks lists the shipped ones, and /playbooks the same', async () => {
    const { status, body } = await call('GET', '/soar/playbooks')
    assert.equal(status, 200)
    const ids = body.items.map(({ id }: Playbook) => id)
    assert.ok(ids.includes('isolate-host') && ids.includes('contain-ransomware'), ids)
    assert.deepEqual((await call('GET', '/playbooks')).body.items, body.items)
    const one = (await call('GET', '/soar/playbooks/isolate-host')).body
    assert.equal(one.is_critical, true)
    assert.equal(one.origin, 'shipped')
    assert.equal(one.success_rate, null)
    for (const id of ['nobody', '%00', 'A'.repeat(300)]) {
      assert.equal((await call('GET', `/soar/playbooks/${id}`)).status, 404)
    }
  })

  await t.test('an execution does its steps and records each', async () => {
    const alert = (
      await call('POST', '/alerts', { title: 'Beacon', source: 'dns', host: 'fin-ws-07' })
    ).body
    const playbook = await write({
      parameters: { who: { type: 'string', required: true } },
      steps: [
        {
          id: 'open',
          action: 'create_case',
          params: { title: '{{ alert.title }} on {{ alert.host }}' },
        },
        {
          id: 'say',
          action: 'add_comment',
          params: { case_id: '{{ steps.open.output.case_id }}', body: 'for {{ params.who }}' },
        },
        {
          id: 'never',
          action: 'wait',
          when: "alert.severity == 'critical'",
          params: { seconds: 9 },
        },
        {
          id: 'see',
          action: 'add_observable',
          params: { case_id: '{{ case.id }}', type: 'host', value: '{{ alert.host }}' },
        },
        {
          id: 'do',
          action: 'add_task',
          params: { case_id: '{{ case.id }}', title: 'look' },
        },
      ],
    })
    const done = await run(playbook, { alert_id: alert.id, parameters: { who: 'kim' } })
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.deepEqual(
      done.steps.map(({ id, status }) => [id, status]),
      [
        ['open', 'completed'],
        ['say', 'completed'],
        ['never', 'skipped'],
        ['see', 'completed'],
        ['do', 'completed'],
      ],
    )
    assert.deepEqual(Object.keys(done.steps[0] ?? {}), [
      'id',
      'action',
      'status',
      'output',
      'error',
      'started_at',
      'completed_at',
    ])
    assert.equal(done.steps_completed, 5)
    const opened = (await call('GET', `/cases/${done.case_id}`)).body
    assert.equal(opened.title, 'Beacon on fin-ws-07')
    assert.deepEqual(opened.alert_ids, [alert.id])
    assert.equal(opened.comments[0].body, 'for kim')
    assert.equal(opened.comments[0].author, `playbook:${playbook.id}`)
    assert.equal(opened.observables[0].value, 'fin-ws-07')
    assert.equal(opened.tasks[0].title, 'look')

    const after: Playbook = (await call('GET', `/soar/playbooks/${playbook.id}`)).body
    assert.equal(after.run_count, 1)
    assert.equal(after.success_rate, 1)
    assert.equal(typeof after.last_run_at, 'string')
    const listed = (await call('GET', `/soar/executions?playbook_id=${playbook.id}`)).body
    assert.deepEqual(listed.items, [done])
    const same = (await call('GET', `/playbooks/executions?playbook_id=${playbook.id}`)).body
    assert.deepEqual(same, listed)
    const audit = (await call('GET', `/audit?target=execution:${done.id}`)).body.items
    const actions = audit.map(({ action }: { action: string }) => action)
    for (const action of ['playbook.create_case', 'playbook.add_comment', 'execution.completed']) {
      assert.ok(actions.includes(action), action)
    }
    const [made] = (await call('GET', `/audit?target=case:${done.case_id}&action=case.create`)).body
      .items
    assert.deepEqual(
      [made.actor, made.actor_kind, made.actor_id, made.detail],
      [`playbook:${playbook.id}`, 'playbook', null, `execution ${done.id}, asked for by admin`],
    )
  })

  await t.test('parameters are checked by their declaration', async () => {
    const { id } = await write({
      parameters: {
        count: { type: 'number', required: true },
        kind: { type: 'enum', values: ['a', 'b'], default: 'a' },
      },
      steps: [{ id: 's', action: 'wait', params: { seconds: '{{ params.count }}' } }],
    })
    for (const [parameters, detail] of [
      [{}, 'parameters.count: is required'],
      [{ count: '40' }, 'parameters.count: must be a number'],
      [{ count: 1, kind: 'c' }, 'parameters.kind: must be one of a, b'],
      [{ count: 1, more: 1 }, 'parameters.more: is not a parameter of this playbook'],
    ]) {
      const reply = await call('POST', `/playbooks/${id}/execute`, { parameters })
      assert.equal(reply.status, 400)
      assert.equal(reply.body.detail, detail)
    }
    const path = `/playbooks/${id}/execute`
    const stranger = await call('POST', path, { alert_id: UNKNOWN, parameters: { count: 1 } })
    assert.deepEqual(stranger, { ...stranger, status: 400 })
    assert.match(stranger.body.detail, /^alert_id: /)
    const dry = await run({ id }, { parameters: { count: 1 }, dry_run: true })
    assert.deepEqual(dry.parameters, { count: 1, kind: 'a' })
  })

  await t.test('a playbook that is wrong is 400 and names the field', async () => {
    const step = { id: 's', action: 'wait', params: { seconds: 1 } }
    for (const [body, field] of [
      [{ steps: [] }, 'steps'],
      [{ steps: [{ ...step, action: 'explode' }] }, 'steps.0.action'],
      [{ steps: [step, step] }, 'steps.1.id'],
      [{ steps: [{ ...step, params: {} }] }, 'steps.0.params.seconds'],
      [{ steps: [{ ...step, params: { seconds: 1, more: 1 } }] }, 'steps.0.params.more'],
      [
        { steps: [step, { ...step, id: 'x', action: 'http_webhook', params: { url: 'ftp://x' } }] },
        'steps.1.params.url',
      ],
      [{ steps: [{ ...step, when: 'alert.severity ==' }] }, 'steps.0.when'],
      [{ steps: [{ ...step, when: 'process.env' }] }, 'steps.0.when'],
      [{ steps: [{ ...step, params: { seconds: '{{ params.x }}' } }] }, 'steps.0.params.seconds'],
      [{ steps: [{ ...step, when: 'steps.s.output' }] }, 'steps.0.when'],
      [{ steps: [{ ...step, undo: { action: 'nothing' } }] }, 'steps.0.undo.action'],
      [{ steps: [step], trigger: { on: 'alert.created', when: 'case.id' } }, 'trigger.when'],
      [{ steps: [step], parameters: { x: { type: 'enum' } } }, 'parameters.x.values'],
      [
        { steps: [step], parameters: { x: { type: 'number', default: 'a' } } },
        'parameters.x.default',
      ],
      [{ steps: [{ ...step, timeout_s: 0 }] }, 'steps.0.timeout_s'],
    ] as const) {
      const reply = await call('POST', '/soar/playbooks', { name: 'Bad', ...body })
      assert.equal(reply.status, 400, field)
      assert.ok(reply.body.detail.startsWith(`${field}: `), `${field}: ${reply.body.detail}`)
    }
  })

  await t.test('a playbook is changed, switched off and on, and deleted', async () => {
    const made = await write({ steps: [{ id: 's', action: 'wait', params: { seconds: 1 } }] })
    const path = `/soar/playbooks/${made.id}`
    const named = (await call('PATCH', path, { name: 'Better', version: 1 })).body
    assert.equal(named.name, 'Better')
    assert.equal(named.version, 2)
    assert.equal((await call('PATCH', path, { name: 'Stale', version: 1 })).status, 409)
    assert.equal((await call('PATCH', path, { steps: [] })).status, 400)

    assert.equal((await call('POST', `${path}/toggle`)).body.enabled, false)
    const refused = await call('POST', `${path}/execute`)
    assert.equal(refused.status, 409)
    assert.match(refused.body.detail, /switched off/)
    assert.equal((await call('POST', `${path}/toggle`, { enabled: true })).body.enabled, true)

    assert.deepEqual((await call('DELETE', path)).body, { deleted: true, id: made.id })
    assert.equal((await call('GET', path)).status, 404)
    const given = { id: 'my-own', name: 'Own', steps: made.steps }
    assert.equal((await call('POST', '/soar/playbooks', given)).status, 201)
    assert.equal((await call('POST', '/soar/playbooks', given)).status, 409)
    await call('DELETE', '/soar/playbooks/my-own')
    assert.equal((await call('POST', '/soar/playbooks', given)).status, 201)
  })

  await t.test('a failed step stops, goes on or takes back, as it says', async () => {
    const bad = { id: 'bad', action: 'add_comment', params: { case_id: UNKNOWN, body: 'x' } }
    const next = { id: 'next', action: 'create_case', params: { title: 'after' } }
    const stopped = await run(await write({ steps: [bad, next] }))
    assert.equal(stopped.status, 'failed')
    assert.match(stopped.error ?? '', /^bad: case .* not found/)
    assert.deepEqual(statuses(stopped), ['failed', 'skipped'])
    const onwards = await run(await write({ steps: [{ ...bad, on_failure: 'continue' }, next] }))
    assert.equal(onwards.status, 'completed')

    const before = await call('POST', '/cases', { title: 'mine', severity: 'low' })
    const case_id = before.body.id
    const back = await run(
      await write({
        steps: [
          { id: 'open', action: 'create_case', params: { title: 'short', reuse: false } },
          { id: 'raise', action: 'update_case', params: { case_id, severity: 'high' } },
          { id: 'task', action: 'add_task', params: { case_id, title: 't' } },
          {
            id: 'seen',
            action: 'add_observable',
            params: { case_id, type: 'ip', value: '1.2.3.4' },
          },
          { ...bad, on_failure: 'rollback' },
          next,
        ],
      }),
    )
    assert.equal(back.status, 'failed')
    assert.equal(back.rollback, 'completed')
    assert.deepEqual(statuses(back), ['undone', 'undone', 'undone', 'undone', 'failed', 'skipped'])
    assert.equal((await call('GET', `/cases/${back.steps[0]?.output?.case_id}`)).status, 404)
    const mine = (await call('GET', `/cases/${case_id}`)).body
    assert.equal(mine.severity, 'low')
    assert.equal(mine.tasks[0].status, 'cancelled')
    assert.deepEqual(mine.observables, [])
  })

  await t.test(
    'POST /soar/executions/{id}/rollback takes back, last step first, once',
    async () => {
      const done = await run(
        await write({
          steps: [
            { id: 'open', action: 'create_case', params: { title: 'one' } },
            {
              id: 'say',
              action: 'add_comment',
              params: { case_id: '{{ case.id }}', body: 'hello' },
            },
          ],
        }),
      )
      const path = `/soar/executions/${done.id}/rollback`
      assert.equal((await call('POST', path)).status, 200)
      const back = await reaches(done.id, ({ rollback }) => rollback === 'completed')
      assert.equal(back.status, 'completed')
      assert.deepEqual(statuses(back), ['undone', 'undone'])
      assert.equal((await call('GET', `/cases/${done.case_id}`)).status, 404)
      assert.equal((await call('POST', path)).status, 409)
      const empty = await run(
        await write({ steps: [{ id: 's', action: 'wait', params: { seconds: 0.01 } }] }),
      )
      const nothing = await call('POST', `/soar/executions/${empty.id}/rollback`)
      assert.equal(nothing.status, 409)
      assert.match(nothing.body.detail, /nothing/)
      assert.equal((await call('POST', `/soar/executions/${UNKNOWN}/rollback`)).status, 404)
    },
  )

  await t.test('POST /soar/executions/{id}/cancel ends one that waits', async () => {
    const playbook = await write({
      steps: [
        { id: 'w', action: 'wait', params: { seconds: 3_600 } },
        { id: 'n', action: 'create_case', params: { title: 'never' } },
      ],
    })
    const id = await start(playbook)
    const path = `/soar/executions/${id}`
    await reaches(id, ({ steps }) => steps[0]?.status === 'waiting')
    const cancelled = await call('POST', `${path}/cancel`)
    assert.equal(cancelled.status, 200)
    assert.equal(cancelled.body.status, 'cancelled')
    assert.equal(cancelled.body.error, 'cancelled by admin')
    assert.deepEqual(statuses(cancelled.body), ['cancelled', 'cancelled'])
    assert.equal((await call('POST', `${path}/cancel`)).status, 409)
  })

  await t.test('one that is cancelled as it begins to wait does not wait', async () => {
    const wait = (id: string) => ({ id, action: 'wait', params: { seconds: 3_600 } })
    const id = await start(await write({ steps: [wait('a'), wait('b')] }))
    await reaches(id, ({ steps }) => steps[0]?.status === 'waiting')
    await cancelAsBegins(soc, { call }, id, 1)
    const ended = await reaches(id, ({ completed_at }) => completed_at !== null)
    assert.equal(ended.status, 'cancelled')
    assert.deepEqual(statuses(ended), ['completed', 'cancelled'])
  })

  await t.test('an execution is timed out as a whole, also while it waits', async () => {
    const done = await run(
      await write({ timeout_s: 1, steps: [{ id: 'w', action: 'wait', params: { seconds: 60 } }] }),
    )
    assert.equal(done.status, 'timed_out')
    assert.match(done.error ?? '', /1 s/)
  })

  await t.test('a rehearsal changes nothing and says so', async () => {
    const playbook = await write({
      is_critical: true,
      steps: [
        { id: 'open', action: 'create_case', params: { title: 'not really' } },
        {
          id: 'post',
          action: 'http_webhook',
          params: { url: 'http://hooks.example/', body: { id: '{{ steps.open.output.case_id }}' } },
        },
      ],
    })
    const total = async () => (await call('GET', '/cases')).body.total
    const before = await total()
    const done = await run(playbook, { dry_run: true })
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.equal(done.dry_run, true)
    assert.ok(done.steps.every(({ output }) => output?.simulated === true))
    assert.equal(await total(), before)
    assert.equal((await call('GET', `/soar/playbooks/${playbook.id}`)).body.run_count, 0)
    assert.equal((await call('POST', `/soar/executions/${done.id}/rollback`)).status, 409)
  })
})
