import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'

const EVENTS = [
  { id: 'h1', timestamp: '2026-03-01T10:00:00.000Z', source: 'sshd', message: 'Failed password' },
  { id: 'h2', timestamp: '2026-03-01T11:00:00.000Z', source: 'sshd', message: 'failed password' },
  { id: 'h3', timestamp: '2026-03-01T12:00:00.000Z', source: 'nginx', message: 'failed upstream' },
]
const HUNT = {
  title: 'Failed passwords',
  query: '"failed password"',
  source: 'sshd',
  tags: ['ssh'],
}

test('/siem/hunts', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const ana = await soc.signInAs('analyst', 'ana')
  const ben = await soc.signInAs('analyst', 'ben')
  const viewer = await soc.signInAs('viewer')
  await soc.call('POST', '/siem/logs', { as: admin, body: { events: EVENTS } })

  const save = async (body: object, as = ana) =>
    (await soc.call('POST', '/siem/hunts', { as, body })).body
  const titlesOf = async (as: string, query = '') => {
    const { body } = await soc.call('GET', `/siem/hunts${query}`, { as })
    return body.items.map(({ title }: { title: string }) => title)
  }

  const own = await save(HUNT)
  const shared = await save({ ...HUNT, title: 'For the team', sharing_mode: 'team' })
  await save({
    ...HUNT,
    title: 'For viewers',
    sharing_mode: 'roles',
    shared_with_roles: ['viewer'],
  })

  await t.test('POST saves a hunt, private unless it says otherwise', () => {
    const { id, created_by_id, created_at, updated_at, ...rest } = own
    assert.ok(id && created_by_id && created_at && updated_at)
    assert.deepEqual(rest, {
      ...HUNT,
      description: '',
      severity: null,
      host: null,
      sharing_mode: 'private',
      shared_with_roles: [],
      created_by: 'ana',
      last_run_at: null,
      last_match_count: null,
    })
  })

  await t.test('GET lists what is shared with the caller', async () => {
    assert.deepEqual(await titlesOf(ana), ['For viewers', 'For the team', 'Failed passwords'])
    assert.deepEqual(await titlesOf(ben), ['For the team'])
    assert.deepEqual(await titlesOf(viewer), ['For viewers', 'For the team'])
    assert.equal((await titlesOf(admin)).length, 3)
    assert.deepEqual(await titlesOf(ana, '?q=TEAM&tag=ssh'), ['For the team'])
  })

  await t.test('a private hunt is 404 for others, whatever they try', async () => {
    const path = `/siem/hunts/${own.id}`
    const body = { title: 'mine now' }
    assert.equal((await soc.call('GET', path, { as: ben })).status, 404)
    assert.equal((await soc.call('PATCH', path, { as: ben, body })).status, 404)
    assert.equal((await soc.call('DELETE', path, { as: ben })).status, 404)
    assert.equal((await soc.call('POST', `${path}/run`, { as: ben })).status, 404)
    assert.equal((await soc.call('GET', `${path}/runs`, { as: ben })).status, 404)
    assert.equal((await soc.call('GET', path, { as: ana })).body.title, HUNT.title)
  })

  await t.test('a hunt that is saved as it is has not changed', async () => {
    const { title, query, host, tags } = own
    const path = `/siem/hunts/${own.id}`
    const body = { title, query, host, tags }
    assert.deepEqual((await soc.call('PATCH', path, { as: ana, body })).body, own)
    const told = await soc.query('SELECT 1 FROM audit_log WHERE action = $1 AND target = $2', [
      'hunt.update',
      `hunt:${own.id}`,
    ])
    assert.deepEqual(told, [])
  })

  await t.test('PATCH by who it is shared with; sharing and DELETE by its maker', async () => {
    const path = `/siem/hunts/${shared.id}`
    const patch = (as: string, body: object) => soc.call('PATCH', path, { as, body })
    assert.equal((await patch(ben, { description: 'better' })).body.description, 'better')
    assert.equal((await patch(ben, { sharing_mode: 'private' })).status, 403)
    assert.equal((await soc.call('DELETE', path, { as: ben })).status, 403)
    assert.equal((await patch(viewer, { description: 'x' })).status, 403)
    assert.equal((await patch(ana, { host: 'web-01' })).body.host, 'web-01')
    assert.equal((await patch(ana, { host: null })).body.host, null)
  })

  const REFUSED: [body: object, detail: RegExp][] = [
    [{ ...HUNT, query: 'a AND' }, /^query: a term is missing at column 6; /],
    [{ ...HUNT, title: ' ' }, /^title: /],
    [{ ...HUNT, sharing_mode: 'roles' }, /^shared_with_roles: must name a role/],
    [{ ...HUNT, sharing_mode: 'everyone' }, /^sharing_mode: /],
    [{ ...HUNT, severity: 'bogus' }, /^severity: must be one of critical, high, medium, low, info/],
    [{ ...HUNT, extra: 1 }, /extra/],
  ]
  for (const [body, detail] of REFUSED) {
    await t.test(`POST ${JSON.stringify(body)} is 400`, async () => {
      const { status, body: answer } = await soc.call('POST', '/siem/hunts', { as: ana, body })
      assert.equal(status, 400)
      assert.match(answer.detail, detail)
    })
  }

  await t.test(
    'PATCH refuses a severity that no event has, and minds only what is sent',
    async () => {
      const path = `/siem/hunts/${shared.id}`
      const patch = (body: object) => soc.call('PATCH', path, { as: ana, body })
      const refused = await patch({ severity: 'urgent' })
      assert.equal(refused.status, 400)
      assert.match(refused.body.detail, /^severity: /)
      assert.equal((await patch({ severity: 'HIGH' })).body.severity, 'HIGH')
      await soc.query(`UPDATE hunts SET severity = 'of before' WHERE id = $1`, [shared.id])
      assert.equal((await patch({ description: 'x' })).body.severity, 'of before')
      assert.equal((await patch({ severity: null })).body.severity, null)
    },
  )

  await t.test('POST run answers the latest matches and keeps the count', async () => {
    const run = (body?: object) =>
      soc.call('POST', `/siem/hunts/${own.id}/run`, { as: ana, ...(body ? { body } : {}) })
    const first = (await run()).body
    assert.deepEqual(
      first.logs.map(({ id }: { id: string }) => id),
      ['h2', 'h1'],
    )
    assert.equal(first.total, 2)
    assert.equal(first.hunt.last_match_count, 2)
    assert.equal(first.run.run_by, 'ana')
    const second = (await run({ from: '2026-03-01T10:30:00Z', limit: 1 })).body
    assert.equal(second.total, 1)

    const { body: runs } = await soc.call('GET', `/siem/hunts/${own.id}/runs`, { as: ana })
    assert.deepEqual(
      runs.items.map(({ match_count, from }: { match_count: number; from: string | null }) => [
        match_count,
        from,
      ]),
      [
        [1, '2026-03-01T10:30:00.000Z'],
        [2, null],
      ],
    )
    const { body: hunt } = await soc.call('GET', `/siem/hunts/${own.id}`, { as: ana })
    assert.equal(hunt.last_match_count, 1)
  })

  const NARROWED: [object, string[]][] = [
    [{ source: 'ss*' }, ['h2', 'h1']],
    [{ source: '?ginx' }, ['h3']],
    [{ source: '', host: '' }, ['h3', 'h2', 'h1']],
    [{ source: 'SSHD' }, ['h2', 'h1']],
  ]
  for (const [body, found] of NARROWED) {
    await t.test(`a hunt is narrowed as a rule is: ${JSON.stringify(body)}`, async () => {
      const hunt = await save({ title: 'Narrowed', query: 'failed', ...body })
      const { body: ran } = await soc.call('POST', `/siem/hunts/${hunt.id}/run`, { as: ana })
      assert.deepEqual(
        ran.logs.map(({ id }: { id: string }) => id),
        found,
      )
      await soc.call('DELETE', `/siem/hunts/${hunt.id}`, { as: ana })
    })
  }

  await t.test('a viewer sees hunts and does not run them', async () => {
    const { status } = await soc.call('POST', `/siem/hunts/${shared.id}/run`, { as: viewer })
    assert.equal(status, 403)
  })

  await t.test('DELETE removes a hunt with its runs', async () => {
    const { body } = await soc.call('DELETE', `/siem/hunts/${own.id}`, { as: ana })
    assert.deepEqual(body, { deleted: true, id: own.id })
    assert.equal((await soc.call('GET', `/siem/hunts/${own.id}`, { as: ana })).status, 404)
    assert.deepEqual(await soc.query('SELECT * FROM hunt_runs'), [])
  })
})

test('a hunt in dry_run: saving is a preview, a run is recorded', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dry_run' })
  const as = await soc.signIn()
  const preview = await soc.call('POST', '/siem/hunts', { as, body: HUNT })
  assert.equal(preview.status, 200)
  assert.equal(preview.body.preview, true)
  assert.deepEqual(await soc.query('SELECT * FROM hunts'), [])

  const [hunt] = await soc.query<{ id: string }>(
    `INSERT INTO hunts (id, title, description, query, sharing_mode, shared_with_roles, tags, created_by)
     VALUES (gen_random_uuid(), 'x', '', '', 'team', '{}', '{}', 'x') RETURNING id`,
  )
  const { body } = await soc.call('POST', `/siem/hunts/${hunt?.id}/run`, { as })
  assert.equal(body.total, 0)
  assert.equal((await soc.query('SELECT * FROM hunt_runs')).length, 1)
})
