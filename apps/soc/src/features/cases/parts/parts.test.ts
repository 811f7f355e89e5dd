import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CaseDetail } from '@manara/soc-contract/cases'
import { startTestSoc } from '../../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('observables, comments and tasks', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('analyst', 'kim')
  const call = (method: string, path: string, body?: unknown, as = kim) =>
    soc.call(method, path, { as, body })
  const newCase = async (): Promise<CaseDetail> =>
    (await call('POST', '/cases', { title: 'Beacon' })).body
  const actions = async (id: string) =>
    (await call('GET', `/cases/${id}`)).body.timeline.map(
      (entry: { action: string }) => entry.action,
    )

  await t.test('an empty assignee is nobody', async () => {
    const { body } = await call('POST', '/cases', { title: 'Of nobody', assignee: '' })
    assert.equal(body.assignee, null)
    await call('PATCH', `/cases/${body.id}`, { assignee: 'lee@example.org' })
    const patched = await call('PATCH', `/cases/${body.id}`, { assignee: '' })
    assert.equal(patched.body.assignee, null)
    const tasks = `/cases/${body.id}/tasks`
    const task = (await call('POST', tasks, { title: 'Ask', assignee: '' })).body
    assert.equal(task.assignee, null)
    await call('PATCH', `${tasks}/${task.id}`, { assignee: 'lee@example.org' })
    assert.equal((await call('PATCH', `${tasks}/${task.id}`, { assignee: '' })).body.assignee, null)
  })

  await t.test('the assignee is the user of that name in any letter case', async () => {
    const { id } = (await call('POST', '/cases', { title: 'Spelled', assignee: 'Kim' })).body
    const { items } = (await call('GET', '/cases?assignee=KIM')).body
    assert.deepEqual(
      items.map((one: CaseDetail) => one.id),
      [id],
    )
    const path = `/cases/${id}/tasks`
    const { body: task } = await call('POST', path, { title: 'Call', assignee: 'KIM' })
    assert.equal(task.assignee, 'kim')
    const assign = async (assignee: string | null) =>
      (await call('PATCH', `${path}/${task.id}`, { assignee })).body.assignee
    assert.equal(await assign(null), null)
    assert.equal(await assign('kIM'), 'kim')
    assert.equal(await assign('Lee@example.org'), 'Lee@example.org')
  })

  await t.test('observables, comments and tasks are added, listed and told', async () => {
    const { id } = await newCase()
    const added = await call('POST', `/cases/${id}/observables`, {
      type: 'ip',
      value: '10.0.0.7',
      source: 'ids',
      tags: ['c2'],
      context: { port: 443 },
    })
    assert.equal(added.status, 201)
    assert.equal((await call('POST', `/cases/${id}/comments`, { body: 'On it' })).status, 201)
    const task = await call('POST', `/cases/${id}/tasks`, {
      title: 'Call the owner',
      due_at: '2026-12-01T10:00:00+02:00',
    })
    assert.equal(task.status, 201)
    assert.equal(task.body.status, 'todo')
    assert.equal(task.body.due_at, '2026-12-01T08:00:00.000Z')

    const changed = await call('PATCH', `/cases/${id}/tasks/${task.body.id}`, {
      status: 'done',
      assignee: 'kim',
    })
    assert.equal(changed.status, 200)
    assert.equal(changed.body.status, 'done')
    // Asked again by a client that lost the answer: no second line in the timeline.
    const again = await call('PATCH', `/cases/${id}/tasks/${task.body.id}`, { status: 'done' })
    assert.deepEqual([again.status, again.body], [200, changed.body])
    for (const taskId of [UNKNOWN, 'nope']) {
      const reply = await call('PATCH', `/cases/${id}/tasks/${taskId}`, { status: 'done' })
      assert.equal(reply.status, 404)
    }
    const other = await newCase()
    const elsewhere = `/cases/${other.id}/tasks/${task.body.id}`
    assert.equal((await call('PATCH', elsewhere, { status: 'todo' })).status, 404)

    const detail = (await call('GET', `/cases/${id}`)).body
    assert.deepEqual(detail.observables, [added.body])
    assert.deepEqual(detail.tasks, [changed.body])
    assert.equal(detail.comments[0].author, 'kim')
    assert.equal(detail.comments[0].body, 'On it')
    assert.deepEqual(await actions(id), [
      'case created',
      'observable added: ip 10.0.0.7',
      'comment added by kim',
      'task added: Call the owner',
      'task Call the owner: done, kim',
    ])
    for (const part of ['observables', 'comments', 'tasks']) {
      const { items, ...page } = (await call('GET', `/cases/${id}/${part}`)).body
      assert.deepEqual(items, detail[part])
      assert.equal(page.total, 1)
    }
  })

  await t.test('parts are paged by cursor', async () => {
    const { id } = await newCase()
    for (const body of ['1', '2', '3']) await call('POST', `/cases/${id}/comments`, { body })
    const first = (await call('GET', `/cases/${id}/comments?limit=2`)).body
    assert.equal(first.has_more, true)
    const rest = (await call('GET', `/cases/${id}/comments?limit=2&cursor=${first.next_cursor}`))
      .body
    const bodies = [...first.items, ...rest.items].map((comment: { body: string }) => comment.body)
    assert.deepEqual(bodies, ['1', '2', '3'])
  })

  await t.test('only service and admin may name another author', async () => {
    const { id } = await newCase()
    const path = `/cases/${id}/comments`
    const refused = await call('POST', path, { body: 'x', author: 'lee' })
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /^author: /)
    assert.equal((await call('POST', path, { body: 'x', author: 'kim' })).status, 201)
    const byAdmin = await call('POST', path, { body: 'x', author: 'lee' }, await soc.signIn())
    assert.equal(byAdmin.body.author, 'lee')

    const own = await call('POST', path, { body: 'x', author: 'KIM' })
    assert.deepEqual([own.status, own.body.author], [201, 'kim'])
    const forKim = await call('POST', path, { body: 'x', author: 'Kim' }, await soc.signIn())
    assert.equal(forKim.body.author, 'kim')
  })
})
