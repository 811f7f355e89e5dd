import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CaseDetail } from '@manara/soc-contract/cases'
import { startTestSoc } from '../../../testing/test-soc.ts'

const sha256 = 'a'.repeat(64)

test('merging cases', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const detail = async (id: string): Promise<CaseDetail> => (await call('GET', `/cases/${id}`)).body
  const merge = (id: string, ...case_ids: string[]) =>
    call('POST', `/cases/${id}/merge`, { case_ids })
  const unmerge = (id: string, ...case_ids: string[]) =>
    call('POST', `/cases/${id}/unmerge`, { case_ids })

  let made = 0
  /** A case with one of everything. */
  async function fullCase(title: string): Promise<CaseDetail> {
    made += 1
    const alert = await call('POST', '/alerts', { title: `${title} ${made}`, source: 'merge' })
    const { body } = await call('POST', '/cases', { title, alert_ids: [alert.body.id] })
    await call('POST', `/cases/${body.id}/observables`, { type: 'ip', value: title })
    await call('POST', `/cases/${body.id}/comments`, { body: title })
    await call('POST', `/cases/${body.id}/tasks`, { title })
    await call('POST', `/cases/${body.id}/evidence`, {
      name: title,
      evidence_type: 'file',
      sha256,
    })
    return detail(body.id)
  }

  /** What a merge and its undoing may not change. */
  const content = ({ alert_ids, observables, comments, tasks, evidence }: CaseDetail) => ({
    alert_ids,
    observables,
    comments,
    tasks,
    evidence,
  })
  const names = (parts: { name: string }[]) => parts.map(({ name }) => name)

  await t.test('the target shows what both had; the ledgers verify, each on its own', async () => {
    const [a, b] = [await fullCase('A'), await fullCase('B')]
    const { status, body } = await merge(a.id, b.id)
    assert.equal(status, 200)
    // Or, of cases of thousands of parts, the latest of each.
    const asked = { case_ids: [b.id] }
    for (const way of ['unmerge', 'merge']) {
      const { body: part } = await call('POST', `/cases/${a.id}/${way}?latest=1`, asked)
      assert.deepEqual([part.timeline.length, part.comments.length], [1, 1], way)
      assert.equal(part.counts.comments, way === 'merge' ? 2 : 1)
    }
    assert.deepEqual(body.alert_ids, [...a.alert_ids, ...b.alert_ids])
    assert.deepEqual(names(body.evidence), ['A', 'B'])
    assert.equal(body.observables.length, 2)
    assert.equal(body.comments.length, 2)
    assert.equal(body.tasks.length, 2)
    assert.deepEqual(body.merged_case_ids, [b.id])
    assert.equal(body.version, a.version + 1)
    assert.equal((await detail(b.id)).merged_into, a.id)
    assert.equal((await call('GET', `/alerts/${b.alert_ids[0]}`)).body.case_id, a.id)
    const listed = (await call('GET', '/cases?limit=200')).body.items
    assert.ok(!listed.some(({ id }: { id: string }) => id === b.id))

    const verdict = (await call('GET', `/cases/${a.id}/evidence/verify`)).body
    assert.equal(verdict.valid, true)
    assert.deepEqual(
      verdict.chains.map((chain: { case_id: string; entries: number }) => [
        chain.case_id,
        chain.entries,
      ]),
      [
        [a.id, 1],
        [b.id, 1],
      ],
    )
  })

  await t.test('merge and unmerge is a round trip: nothing is lost', async () => {
    const [a, b, c] = [await fullCase('A'), await fullCase('B'), await fullCase('C')]
    await merge(a.id, b.id, c.id)
    const { status, body } = await unmerge(a.id, b.id, c.id)
    assert.equal(status, 200)
    assert.deepEqual(content(body), content(a))
    for (const before of [b, c]) {
      const after = await detail(before.id)
      assert.deepEqual(content(after), content(before))
      assert.equal(after.merged_into, null)
      assert.equal((await call('GET', `/cases/${before.id}/evidence/verify`)).body.valid, true)
    }
  })

  await t.test(
    'an unmerge gives back the severity that the case had, unless a person set another',
    async () => {
      const make = async (severity: string): Promise<string> =>
        (await call('POST', '/cases', { title: severity, severity })).body.id
      const severity = async (id: string) => (await detail(id)).severity
      const [low, high, critical] = [await make('low'), await make('high'), await make('critical')]
      await merge(low, high)
      await merge(low, critical)
      assert.equal(await severity(low), 'critical')
      await unmerge(low, high)
      assert.equal(await severity(low), 'critical')
      await unmerge(low, critical)
      assert.equal(await severity(low), 'low')
      await merge(low, high)
      await call('PATCH', `/cases/${low}`, { severity: 'medium' })
      await unmerge(low, high)
      assert.equal(await severity(low), 'medium')
      assert.equal(await severity(high), 'high')
    },
  )

  await t.test('work done while merged stays where it belongs', async () => {
    const [a, b] = [await fullCase('A'), await fullCase('B')]
    await merge(a.id, b.id)
    const evidenceOfB = b.evidence[0]?.id
    const custody = await call('POST', `/cases/${a.id}/evidence/${evidenceOfB}/custody`, {
      action: 'transferred',
      to: 'lab',
    })
    assert.equal(custody.status, 201)
    assert.equal(custody.body.seq, 2)
    const taskOfB = b.tasks[0]?.id
    assert.equal(
      (await call('PATCH', `/cases/${a.id}/tasks/${taskOfB}`, { status: 'done' })).status,
      200,
    )
    await call('POST', `/cases/${a.id}/comments`, { body: 'while merged' })
    await unmerge(a.id, b.id)
    const after = await detail(b.id)
    assert.equal(after.evidence[0]?.custody_entries.length, 2)
    assert.equal(after.tasks[0]?.status, 'done')
    assert.equal(after.comments.length, 1)
    assert.equal((await detail(a.id)).comments.length, 2)
    assert.equal((await call('GET', `/cases/${b.id}/evidence/verify`)).body.valid, true)
  })

  await t.test('merges nest and are undone from the outside in', async () => {
    const [a, b, c] = [await fullCase('A'), await fullCase('B'), await fullCase('C')]
    await merge(b.id, c.id)
    const all = (await merge(a.id, b.id)).body
    assert.deepEqual(all.merged_case_ids, [b.id, c.id])
    assert.equal(all.alert_ids.length, 3)
    assert.equal((await unmerge(b.id, c.id)).status, 409)
    assert.equal((await unmerge(a.id, c.id)).status, 409)
    await unmerge(a.id, b.id)
    assert.deepEqual((await detail(b.id)).merged_case_ids, [c.id])
    await unmerge(b.id, c.id)
    for (const before of [a, b, c]) {
      assert.deepEqual(content(await detail(before.id)), content(before))
    }
  })

  await t.test('a merged case is changed only through its target', async () => {
    const [a, b, c] = [await fullCase('A'), await fullCase('B'), await fullCase('C')]
    await merge(a.id, b.id)
    for (const [method, path, body] of [
      ['PATCH', `/cases/${b.id}`, { title: 'x' }],
      ['DELETE', `/cases/${b.id}`, undefined],
      ['POST', `/cases/${b.id}/comments`, { body: 'x' }],
      ['POST', `/cases/${c.id}/merge`, { case_ids: [b.id] }],
      ['POST', `/cases/${b.id}/merge`, { case_ids: [c.id] }],
      ['POST', `/alerts/${c.alert_ids[0]}/case-link`, { case_id: b.id }],
    ] as const) {
      const reply = await call(method, path, body)
      assert.equal(reply.status, 409, `${method} ${path}`)
      assert.match(reply.body.detail, new RegExp(a.id))
    }
    assert.equal((await unmerge(a.id, c.id)).status, 409)
  })

  await t.test('an alert that was moved on meanwhile is not brought back', async () => {
    const [a, b, c] = [await fullCase('A'), await fullCase('B'), await fullCase('C')]
    await merge(a.id, b.id)
    await call('POST', `/alerts/${b.alert_ids[0]}/case-link`, { case_id: c.id })
    await unmerge(a.id, b.id)
    assert.deepEqual((await detail(b.id)).alert_ids, [])
    assert.ok((await detail(c.id)).alert_ids.includes(b.alert_ids[0] ?? ''))
  })

  await t.test('deleting a case deletes what is merged into it, but no ledger', async () => {
    const [a, b] = [await fullCase('A'), await fullCase('B')]
    await merge(a.id, b.id)
    assert.equal((await call('DELETE', `/cases/${a.id}`)).status, 200)
    for (const { id, alert_ids } of [a, b]) {
      assert.equal((await call('GET', `/cases/${id}`)).status, 404)
      const alert = (await call('GET', `/alerts/${alert_ids[0]}`)).body
      assert.deepEqual([alert.status, alert.case_id], ['triaged', null])
      assert.equal((await call('GET', `/cases/${id}/evidence/verify`)).body.valid, true)
    }
  })

  await t.test('crossing merges at once never deadlock and never make a ring', async () => {
    const [a, b] = [await fullCase('A'), await fullCase('B')]
    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)])
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
      await Promise.all([unmerge(a.id, b.id), unmerge(b.id, a.id)])
      assert.deepEqual(
        [(await detail(a.id)).merged_into, (await detail(b.id)).merged_into],
        [null, null],
      )
    }
  })
})
