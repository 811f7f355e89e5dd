import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../../testing/event-reader.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const SECRET = 'Zephyrine'

test('what happened to a case names no other that the reader may not read', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('manager', 'kim')
  const eve = await soc.signInAs('analyst', 'eve')
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const heard = { kim: await readEvents(t, address, kim), eve: await readEvents(t, address, eve) }
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await soc.call('POST', path, { as: kim, body })
    assert.ok(reply.status < 300, `${path}: ${JSON.stringify(reply.body)}`)
    return reply.body.id
  }
  const open = (title: string, users?: string[], more: object = {}) =>
    made('/cases', { title, ...(users ? { access: { mode: 'private', users } } : {}), ...more })
  const timeline = async (id: string, as: string): Promise<string[]> => {
    const { status, body } = await soc.call('GET', `/cases/${id}`, { as })
    assert.equal(status, 200, JSON.stringify(body))
    return body.timeline.map(({ action }: { action: string }) => action)
  }

  await t.test('an alert that moved into it', async () => {
    const alert = await made('/alerts', { title: 'Alert', source: 's' })
    const team = await open('Team', undefined, { alert_ids: [alert] })
    const hidden = await open(`Insider ${SECRET}`, [])
    await made(`/alerts/${alert}/case-link`, { case_id: hidden })
    assert.equal((await timeline(team, kim)).at(-1), `alert ${alert} moved to case ${hidden}`)
    assert.equal((await timeline(team, eve)).at(-1), `alert ${alert} moved to another case`)

    await open('The last one')
    const isLast = ({ data }: { data: unknown }) => JSON.stringify(data).includes('The last one')
    await until('both have heard the last', () =>
      Object.values(heard).every(({ received }) => received.some(isLast)),
    )
    const told = ({ received }: (typeof heard)['eve']) =>
      received.map(({ data }) => data as { id?: string; action?: string }).filter(isMove)
    const isMove = ({ id, action }: { id?: string; action?: string }) =>
      id === team && action !== undefined
    assert.deepEqual(told(heard.kim), [
      { id: team, action: `alert ${alert} moved to case ${hidden}` },
    ])
    assert.deepEqual(told(heard.eve), [
      { id: team, action: `alert ${alert} moved to another case` },
    ])
    assert.ok(!JSON.stringify(heard.eve.received).includes(hidden))

    const report = await made('/reports', { report_type: 'investigation', case_id: team })
    const { body } = await soc.call('GET', `/reports/${report}`, { as: eve })
    assert.match(body.content, /moved to another case/)
    assert.ok(!body.content.includes(hidden), 'everybody reads the report of a team’s case')
  })

  await t.test('a case that was merged into it', async () => {
    const team = await open('Part')
    const hidden = await open(`Insider ${SECRET}`, [])
    await made(`/cases/${hidden}/merge`, { case_ids: [team] })
    assert.equal((await timeline(team, kim)).at(-1), `merged into case ${hidden}`)
    assert.equal((await timeline(team, eve)).at(-1), 'merged into another case')
    await made(`/cases/${hidden}/unmerge`, { case_ids: [team] })
    assert.equal((await timeline(team, kim)).at(-1), `unmerged from case ${hidden}`)
    assert.equal((await timeline(team, eve)).at(-1), 'unmerged from another case')
  })

  await t.test('it was a part of a case for some time', async () => {
    const shared = await open('For two', ['eve'])
    const hidden = await open(`Insider ${SECRET}`, [])
    await made(`/cases/${shared}/merge`, { case_ids: [hidden] })
    await made(`/cases/${shared}/unmerge`, { case_ids: [hidden] })
    assert.deepEqual((await timeline(shared, kim)).slice(-2), [
      `case ${hidden} merged: Insider ${SECRET}`,
      `case ${hidden} unmerged`,
    ])
    assert.deepEqual((await timeline(shared, eve)).slice(-2), [
      'another case merged',
      'another case unmerged',
    ])
  })
})
