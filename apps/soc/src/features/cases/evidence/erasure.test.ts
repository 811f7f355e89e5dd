import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const NAME = 'Disk of John Doe'
const disk = {
  name: NAME,
  evidence_type: 'disk_image',
  storage_url: 's3://evidence/disk.img',
  sha256: 'ab'.repeat(32),
}

test('erasing leaves no copy behind', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const kim = await soc.signInAs('manager', 'kim')
  const call = async (method: string, url: string, body?: unknown, as = kim) => {
    const reply = await soc.call(method, url, { as, body })
    assert.ok(reply.status < 300, `${method} ${url}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const newCase = async (): Promise<string> =>
    (await call('POST', '/cases', { title: 'Ledger' })).id
  const register = async (id: string, body: object = disk): Promise<string> =>
    (await call('POST', `/cases/${id}/evidence`, body)).id
  const custody = (id: string, evidence: string, body: object) =>
    call('POST', `/cases/${id}/evidence/${evidence}/custody`, body)
  const isValid = async (id: string) => (await call('GET', `/cases/${id}/evidence/verify`)).valid

  /** Refused only for as long as the audit log has not sealed its copies. */
  async function erase(id: string, seq: number) {
    await until('it is erased', async () => {
      const url = `/cases/${id}/evidence/ledger/${seq}/erase`
      const { status, body } = await soc.call('POST', url, { as: admin, body: { reason: 'asked' } })
      if (status === 409) assert.match(body.detail, /has not sealed/)
      else assert.equal(status, 201, JSON.stringify(body))
      return status === 201
    })
  }

  await t.test('the place goes with the entry it came from, and with no other', async () => {
    const id = await newCase()
    const piece = await register(id, { ...disk, location: 'safe 2' })
    const location = async () => (await call('GET', `/cases/${id}/evidence`)).items[0].location
    for (const place of ['his home', 'lab', 'his home']) {
      await custody(id, piece, { action: 'transferred', location: place })
    }
    await custody(id, piece, { action: 'accessed', notes: 'by the lab' })
    for (const seq of [2, 3, 5]) {
      await erase(id, seq)
      assert.equal(await location(), 'his home', `after entry ${seq}`)
    }
    await erase(id, 4)
    assert.equal(await location(), null)
    assert.equal(await isValid(id), true)
  })

  await t.test('the copies go that were logged while it was merged', async () => {
    const [own, target, outer] = [await newCase(), await newCase(), await newCase()]
    const piece = await register(own)
    await call('POST', `/cases/${target}/merge`, { case_ids: [own] })
    await call('POST', `/cases/${outer}/merge`, { case_ids: [target] })
    await custody(outer, piece, { action: 'transferred', to: 'John Doe' })
    await call('POST', `/cases/${outer}/unmerge`, { case_ids: [target] })
    await call('POST', `/cases/${target}/unmerge`, { case_ids: [own] })
    await erase(own, 2)
    const url = `/audit?target=case:${outer}&action=case.evidence.custody`
    const { items } = await call('GET', url, undefined, admin)
    assert.equal(items.length, 1)
    assert.equal(items[0].after, null)
  })

  await t.test('what is deleted or merged can be erased too', async () => {
    const [deleted, merged, target] = [await newCase(), await newCase(), await newCase()]
    await register(deleted)
    await register(merged)
    await call('DELETE', `/cases/${deleted}`)
    await call('POST', `/cases/${target}/merge`, { case_ids: [merged] })
    for (const id of [deleted, merged]) {
      const refused = await soc.call('POST', `/cases/${id}/evidence/ledger/1/erase`, {
        ...{ as: kim, body: { reason: 'asked' } },
      })
      assert.equal(refused.status, 403)
      await erase(id, 1)
      const file = await call('GET', `/cases/${id}/evidence/export`)
      assert.ok(!JSON.stringify(file).includes(NAME))
      assert.equal(await isValid(id), true)
    }
    assert.equal((await soc.call('GET', `/cases/${deleted}`, { as: admin })).status, 404)
  })

  await t.test('the name is in no timeline, report or event', async () => {
    const [own, target] = [await newCase(), await newCase()]
    const piece = await register(own)
    await call('POST', `/cases/${target}/merge`, { case_ids: [own] })
    await custody(target, piece, { action: 'transferred' })
    await call('POST', `/cases/${target}/unmerge`, { case_ids: [own] })
    await erase(own, 1)
    const events = await soc.query('SELECT data FROM outbox')
    assert.ok(!JSON.stringify(events).includes(NAME))
    for (const id of [own, target]) {
      assert.ok(!JSON.stringify(await call('GET', `/cases/${id}`)).includes(NAME))
      const body = { report_type: 'investigation', case_id: id }
      assert.ok(!JSON.stringify(await call('POST', '/reports', body)).includes(NAME))
    }
  })

  await t.test('nor where versions before wrote it', async () => {
    const [own, target, other] = [await newCase(), await newCase(), await newCase()]
    await register(own)
    await call('POST', `/cases/${target}/merge`, { case_ids: [own] })
    await call('POST', `/cases/${target}/unmerge`, { case_ids: [own] })
    const said = [
      [own, `evidence registered: ${NAME}`, 'evidence registered: [erased]'],
      [own, `evidence ${NAME}: copied`, 'evidence [erased]: copied'],
      [target, `evidence ${NAME}: released`, 'evidence [erased]: released'],
      [own, `evidence ${NAME} 2: copied`, `evidence ${NAME} 2: copied`],
      [other, `evidence registered: ${NAME}`, `evidence registered: ${NAME}`],
    ] as const
    for (const [id, before] of said) {
      await soc.query(
        `WITH noted AS (INSERT INTO case_timeline (case_id, agent, action)
           VALUES ($1, 'kim', $2) RETURNING case_id, action)
         INSERT INTO outbox (event, data) SELECT 'case.updated',
           jsonb_build_object('id', case_id, 'action', action) FROM noted`,
        [id, before],
      )
    }
    await erase(own, 1)
    for (const [id, , after] of said) {
      const { timeline } = await call('GET', `/cases/${id}`)
      assert.ok(
        timeline.some(({ action }: { action: string }) => action === after),
        after,
      )
      const told = await soc.query(
        `SELECT FROM outbox WHERE data->>'id' = $1 AND data->>'action' = $2`,
        [id, after],
      )
      assert.equal(told.length, 1, after)
    }
  })
})
