import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'

const disk = {
  name: 'disk.img',
  evidence_type: 'disk_image',
  storage_url: 's3://evidence/disk.img',
  sha256: 'AB'.repeat(32),
  location: 'safe 2',
}

test('evidence', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('manager', 'kim')
  const call = (method: string, url: string, body?: unknown) => soc.call(method, url, { as, body })
  const newCase = async () => (await call('POST', '/cases', { title: 'Ledger' })).body.id as string
  const verify = async (id: string) => (await call('GET', `/cases/${id}/evidence/verify`)).body

  await t.test('registering appends a link with seq and the hash of the one before', async () => {
    const id = await newCase()
    const { status, body } = await call('POST', `/cases/${id}/evidence`, {
      ...disk,
      custody_entries: [{ action: 'collected', actor: 'Lee', notes: 'from web-1' }],
    })
    assert.equal(status, 201)
    assert.equal(body.sha256, 'ab'.repeat(32))
    assert.equal(body.registered_by, 'kim')
    const [registered, collected] = body.custody_entries
    assert.equal(registered.seq, 1)
    assert.equal(registered.action, 'registered')
    assert.equal(registered.prev_hash, '0'.repeat(64))
    assert.equal(collected.seq, 2)
    assert.equal(collected.prev_hash, registered.entry_hash)
    assert.deepEqual(collected.details, { actor: 'Lee', notes: 'from web-1' })

    const second = await call('POST', `/cases/${id}/evidence`, { ...disk, name: 'memory.dmp' })
    assert.equal(second.body.custody_entries[0].seq, 3)
    assert.equal(second.body.custody_entries[0].prev_hash, collected.entry_hash)
    const { items, total } = (await call('GET', `/cases/${id}/evidence`)).body
    assert.deepEqual([total, items], [2, [body, second.body]])
  })

  await t.test(
    'of a large case the latest come with their count, and a piece is found',
    async () => {
      const id = await newCase()
      const names = ['disk-1.img', 'disk-2.img', 'Memory.dmp']
      const pieces = []
      for (const name of names) {
        pieces.push((await call('POST', `/cases/${id}/evidence`, { ...disk, name })).body)
      }
      await call('POST', `/cases/${id}/comments`, { body: 'first' })
      const whole = (await call('GET', `/cases/${id}`)).body
      assert.equal('counts' in whole, false)
      const { counts, ...latest } = (await call('GET', `/cases/${id}?latest=2`)).body
      assert.deepEqual(latest, {
        ...whole,
        timeline: whole.timeline.slice(-2),
        evidence: pieces.slice(-2),
      })
      assert.deepEqual(counts, {
        ...{ timeline: whole.timeline.length, evidence: 3, observables: 0, comments: 1 },
      })
      const changed = await call('PATCH', `/cases/${id}?latest=1`, { severity: 'high' })
      assert.deepEqual(changed.body.evidence, pieces.slice(-1))
      assert.equal((await call('GET', `/cases/${id}?latest=0`)).status, 400)
      // The hands that a piece went through are asked for by its id.
      const counted = { ...pieces[2], custody_entries: [], custody_count: 1 }
      const short = (await call('GET', `/cases/${id}?latest=1&custody=count`)).body
      assert.deepEqual(short.evidence, [counted])
      const asked = `/cases/${id}/evidence?q=${counted.id}`
      assert.deepEqual((await call('GET', `${asked}&custody=count`)).body.items, [counted])
      assert.deepEqual((await call('GET', asked)).body.items, [pieces[2]])

      const found = async (q: string) => {
        const { items, total } = (await call('GET', `/cases/${id}/evidence?q=${q}`)).body
        return [total, ...items]
      }
      assert.deepEqual(await found('MEMORY'), [1, pieces[2]])
      assert.deepEqual(await found('disk-2'), [1, pieces[1]])
      assert.deepEqual(await found('a_b%25'), [0])
    },
  )

  await t.test('custody is recorded and moves the evidence', async () => {
    const id = await newCase()
    const evidence = (await call('POST', `/cases/${id}/evidence`, disk)).body
    const custody = (body: unknown, of = evidence.id) =>
      call('POST', `/cases/${id}/evidence/${of}/custody`, body)
    const { status, body } = await custody({ action: 'transferred', to: 'lab', location: 'lab 1' })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body).sort(), [
      'action',
      'actor',
      'details',
      'details_hash',
      'entry_hash',
      'evidence_id',
      'prev_hash',
      'salt',
      'seq',
      'timestamp',
    ])
    assert.equal(body.actor, 'kim')
    assert.deepEqual(body.details, { to: 'lab', location: 'lab 1' })
    const [moved] = (await call('GET', `/cases/${id}/evidence`)).body.items
    assert.equal(moved.location, 'lab 1')
    assert.equal(moved.custody_entries.length, 2)
    assert.equal((await verify(id)).valid, true)

    for (const action of ['registered', 'lost', undefined]) {
      const refused = await custody({ action })
      assert.equal(refused.status, 400)
      assert.match(refused.body.detail, /^action: /)
    }
    for (const unknown of ['nope', '00000000-0000-7000-8000-000000000000']) {
      assert.equal((await custody({ action: 'accessed' }, unknown)).status, 404)
    }
    const other = await newCase()
    const elsewhere = `/cases/${other}/evidence/${evidence.id}/custody`
    assert.equal((await call('POST', elsewhere, { action: 'accessed' })).status, 404)
  })

  await t.test('bad evidence is 400, names the field and appends nothing', async () => {
    const id = await newCase()
    for (const [change, field] of [
      [{ sha256: 'xyz' }, 'sha256'],
      [{ sha256: undefined }, 'sha256'],
      [{ storage_url: 'disk.img' }, 'storage_url'],
      [{ storage_url: 'javascript:alert(1)' }, 'storage_url'],
      [{ name: '' }, 'name'],
      [{ custody_entries: [{ action: 'eaten' }] }, 'custody_entries.0.action'],
    ] as const) {
      const { status, body } = await call('POST', `/cases/${id}/evidence`, { ...disk, ...change })
      assert.equal(status, 400)
      assert.ok(body.detail.startsWith(`${field}: `), body.detail)
    }
    assert.equal((await verify(id)).entries, 0)
  })

  await t.test('fifty who append at once make one chain without a gap', async () => {
    const id = await newCase()
    const evidence = (await call('POST', `/cases/${id}/evidence`, disk)).body
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2
          ? call('POST', `/cases/${id}/evidence`, { ...disk, name: `piece ${index}` })
          : call('POST', `/cases/${id}/evidence/${evidence.id}/custody`, { action: 'accessed' }),
      ),
    )
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
    const verdict = await verify(id)
    assert.equal(verdict.valid, true)
    assert.equal(verdict.entries, 51)
  })

  await t.test('the database refuses to change or remove an entry', async () => {
    const id = await newCase()
    await call('POST', `/cases/${id}/evidence`, disk)
    for (const statement of [
      "UPDATE evidence_ledger SET actor = 'eve'",
      'DELETE FROM evidence_ledger',
      'TRUNCATE evidence_ledger',
      'DELETE FROM evidence',
    ]) {
      await assert.rejects(soc.query(statement), /only grows/)
    }
  })

  /** As someone with the rights of the database's owner would. */
  const tamper = (statement: string) =>
    soc.query(`SET session_replication_role = replica; ${statement}`)

  for (const [what, change, seq, reason] of [
    ['an actor', `UPDATE evidence_ledger SET actor = 'eve' WHERE seq = 2`, 2, /entry_hash/],
    ['a removed row', 'DELETE FROM evidence_ledger WHERE seq = 2', 2, /missing/],
    ['the last row removed', 'DELETE FROM evidence_ledger WHERE seq = 3', 3, /missing/],
    ['the digest', `UPDATE evidence SET sha256 = repeat('c', 64) WHERE true`, 1, /sha256/],
  ] as const) {
    await t.test(`a tampered row is found and named: ${what}`, async () => {
      const id = await newCase()
      const evidence = (await call('POST', `/cases/${id}/evidence`, disk)).body
      for (const action of ['accessed', 'copied']) {
        await call('POST', `/cases/${id}/evidence/${evidence.id}/custody`, { action })
      }
      assert.equal((await verify(id)).valid, true)
      await tamper(`${change} AND case_id = '${id}'`)
      const { valid, first_bad } = await verify(id)
      assert.equal(valid, false)
      assert.equal(first_bad.case_id, id)
      assert.equal(first_bad.seq, seq)
      assert.match(first_bad.reason, reason)
    })
  }

  await t.test('a deleted case keeps its ledger for auditors', async () => {
    const id = await newCase()
    await call('POST', `/cases/${id}/evidence`, disk)
    await call('DELETE', `/cases/${id}`)
    assert.equal((await call('GET', `/cases/${id}/evidence`)).status, 404)
    assert.equal((await call('POST', `/cases/${id}/evidence`, disk)).status, 404)
    assert.equal((await verify(id)).valid, true)
    const auditor = await soc.signInAs('auditor')
    const { status, body } = await soc.call('GET', `/cases/${id}/evidence/export`, { as: auditor })
    assert.equal(status, 200)
    assert.equal(typeof body.chains[0].deleted_at, 'string')
    assert.equal(body.chains[0].entries.length, 1)
  })
})
