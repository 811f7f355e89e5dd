import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../../testing/event-reader.ts'
import { playbookRuns, statuses } from '../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const SECRET = 'Zephyrine'
const parameters = { c: { type: 'string', required: true } }
const named = '{{ params.c }}'
const retitle = { id: 'u', action: 'update_case', params: { case_id: named, title: 'taken over' } }
const comment = { id: 'c', action: 'add_comment', params: { case_id: named, body: 'from outside' } }
const onward = <T extends object>(step: T) => ({ ...step, on_failure: 'continue' })
const ask = { id: 'ask', action: 'request_approval', params: { action: 'go on' } }

test('steps see the cases that whoever asked for them may read', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const kim = await soc.signInAs('manager', 'kim')
  const eve = await soc.signInAs('responder', 'eve')
  const byAdmin = playbookRuns(soc, admin)
  const byKim = playbookRuns(soc, kim)
  const byEve = playbookRuns(soc, eve)
  const { write } = byAdmin
  const openCase = async (mode: 'private' | 'team') => {
    const body = { title: `Insider ${SECRET}`, description: SECRET, access: { mode } }
    const reply = await byKim.call('POST', '/cases', body)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id as string
  }
  const caseNow = async (id: string) => (await byKim.call('GET', `/cases/${id}`)).body
  const restrict = (id: string) =>
    byKim.call('PATCH', `/cases/${id}`, { access: { mode: 'private' } })
  const peek = await write({ parameters, steps: [onward(retitle), onward(comment)] })
  /** What became of the steps, without the id. */
  const told = async (c: string, runs = byEve) => {
    const done = await runs.run(peek, { parameters: { c } })
    const outcomes = done.steps.map(({ status, output, error }) => [status, output, error])
    return JSON.stringify(outcomes).replaceAll(new RegExp(c, 'gi'), 'CASE')
  }

  await t.test('a private one is as one that never was', async () => {
    const id = await openCase('private')
    const never = await told(UNKNOWN)
    assert.match(never, /case CASE not found/)
    assert.equal(await told(id), never)
    assert.equal(await told(id.toUpperCase()), never)
    const { title, comments } = await caseNow(id)
    assert.deepEqual([title, comments], [`Insider ${SECRET}`, []])
  })

  await t.test('what names it in a parameter or a step is shown to who may read it', async () => {
    const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
    const heard = { kim: await readEvents(t, address, kim), eve: await readEvents(t, address, eve) }
    const id = await openCase('private')
    const fixed = { ...comment, params: { case_id: id, body: 'fixed' } }
    for (const [playbook, body] of [
      [peek, { parameters: { c: id } }],
      [peek, { parameters: { c: id.toUpperCase() } }],
      [await write({ steps: [fixed] }), {}],
    ] as const) {
      const done = await byKim.run(playbook, body)
      assert.equal(done.case_id, null)
      assert.equal((await byEve.call('GET', `/soar/executions/${done.id}`)).status, 404)
      assert.equal((await byEve.call('POST', `/soar/executions/${done.id}/rollback`)).status, 404)
      const list = async (runs: typeof byEve): Promise<{ id: string }[]> =>
        (await runs.call('GET', '/soar/executions?limit=200')).body.items
      assert.ok((await list(byKim)).some((one) => one.id === done.id))
      assert.ok(!(await list(byEve)).some((one) => one.id === done.id))
      const isTold = ({ event, data }: { event: string; data: unknown }) =>
        event.startsWith('execution.') && (data as { id: string }).id === done.id
      const ended = ({ event }: { event: string }) => event === 'execution.completed'
      await until('she who may read it heard the end', () =>
        heard.kim.received.filter(isTold).some(ended),
      )
      const { id: after } = await byKim.run(await write({ steps: [ask] }), { dry_run: true })
      await until('the other has heard what came after', () =>
        heard.eve.received.some(({ data }) => (data as { id?: string }).id === after),
      )
      assert.deepEqual(heard.eve.received.filter(isTold), [])
      const keys = heard.kim.received
        .filter(isTold)
        .flatMap(({ data }) => Object.keys(data as object))
      assert.ok(!keys.includes('cases_named'), 'that is for the stream alone')
    }
  })

  await t.test('who may read it changes it, and the team’s is everybody’s', async () => {
    assert.match(await told(await openCase('private'), byKim), /^\[\["completed"/)
    assert.match(await told(await openCase('private'), byAdmin), /^\[\["completed"/)
    assert.match(await told(await openCase('team')), /^\[\["completed"/)
  })

  await t.test('what takes a step back sees no more than the step', async () => {
    const id = await openCase('private')
    const { id: _, ...undo } = retitle
    const wait = { id: 'w', action: 'wait', params: { seconds: 0.01 }, undo }
    const fails = { ...comment, on_failure: 'rollback' }
    const playbook = await write({ parameters, steps: [wait, fails] })
    const done = await byEve.run(playbook, { parameters: { c: id } })
    assert.deepEqual([done.rollback, statuses(done)], ['failed', ['undo_failed', 'failed']])
    assert.equal((await caseNow(id)).title, `Insider ${SECRET}`)
  })

  await t.test('after an approval it is the requester’s view, as of then', async () => {
    const id = await openCase('team')
    const playbook = await write({ parameters, steps: [ask, retitle] })
    const begun = await byEve.start(playbook, { parameters: { c: id } })
    const waiting = await byEve.reaches(begun, ({ status }) => status === 'pending_approval')
    await restrict(id)
    const approvalId = waiting.steps[0]?.output?.approval_id
    const decided = await byKim.call('POST', `/approvals/${approvalId}/decide`, { approved: true })
    assert.equal(decided.status, 200, JSON.stringify(decided.body))
    const done = await byKim.over(begun)
    assert.deepEqual(statuses(done), ['completed', 'failed'])
    assert.equal(done.steps[1]?.error, `case ${id} not found`)
    const own = await byEve.call('GET', `/soar/executions/${begun}`)
    assert.equal(own.status, 404, 'it names a case that she may not read any more')
  })

  await t.test(
    'an execution about a case that was closed to its requester still ends',
    async () => {
      const id = await openCase('team')
      const about = {
        id: 'r',
        action: 'add_comment',
        params: { case_id: id, body: '{{ case.title }}' },
      }
      const after = { id: 'w', action: 'wait', params: { seconds: 0.01 } }
      const playbook = await write({ steps: [ask, onward(about), after] })
      const begun = await byEve.start(playbook, { case_id: id })
      const waiting = await byEve.reaches(begun, ({ status }) => status === 'pending_approval')
      await restrict(id)
      assert.equal((await byEve.call('GET', `/soar/executions/${begun}`)).status, 404)
      const approvalId = waiting.steps[0]?.output?.approval_id
      await byKim.call('POST', `/approvals/${approvalId}/decide`, { approved: true })
      const done = await byKim.over(begun)
      assert.deepEqual(statuses(done), ['completed', 'failed', 'completed'])
      assert.match(done.steps[1]?.error ?? '', /case.title.* has no value/)
    },
  )

  await t.test('who was disabled meanwhile reads no private one any more', async () => {
    const max = await soc.signInAs('responder', 'max')
    const id = await openCase('private')
    const access = { mode: 'private', users: ['max'] }
    await byKim.call('PATCH', `/cases/${id}`, { access })
    const playbook = await write({ parameters, steps: [ask, retitle] })
    const begun = await playbookRuns(soc, max).start(playbook, { parameters: { c: id } })
    const waiting = await byKim.reaches(begun, ({ status }) => status === 'pending_approval')
    const disabled = await byAdmin.call('PATCH', '/users/max', { disabled: true })
    assert.equal(disabled.status, 200, JSON.stringify(disabled.body))
    const approvalId = waiting.steps[0]?.output?.approval_id
    await byKim.call('POST', `/approvals/${approvalId}/decide`, { approved: true })
    assert.deepEqual(statuses(await byKim.over(begun)), ['completed', 'failed'])
  })

  await t.test('what an execution opens for others it can work on and take back', async () => {
    const params = { title: 'For the board', access: { mode: 'private', users: ['kim'] } }
    const open = { id: 'o', action: 'create_case', params }
    const opened = '{{ steps.o.output.case_id }}'
    const note = { id: 'n', action: 'add_task', params: { case_id: opened, title: 'ask' } }
    const done = await byKim.over(await byEve.start(await write({ steps: [open, note] })))
    assert.deepEqual(statuses(done), ['completed', 'completed'], JSON.stringify(done))
    const fails = {
      ...{ id: 'f', action: 'add_comment', on_failure: 'rollback' },
      params: { case_id: UNKNOWN, body: 'b' },
    }
    const begun = await byEve.start(await write({ steps: [open, fails] }))
    assert.deepEqual(statuses(await byKim.over(begun)), ['undone', 'failed'])
  })

  await t.test('what the service begins by itself sees all', async () => {
    const id = await openCase('private')
    const trigger = { on: 'alert.created', when: "alert.title == 'Begin'" }
    const fixed = { ...comment, params: { case_id: id, body: 'by itself' } }
    await write({ trigger, steps: [fixed] })
    const raised = await byEve.call('POST', '/alerts', { title: 'Begin', source: 's' })
    assert.ok(raised.status < 300, JSON.stringify(raised.body))
    const path = `/soar/executions?alert_id=${raised.body.id}`
    const begun = async () => (await byAdmin.call('GET', path)).body.items[0]?.id
    await until('the trigger has begun it', async () => (await begun()) !== undefined)
    assert.deepEqual(statuses(await byAdmin.over(await begun())), ['completed'])
  })
})
