import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'

/** A case with an alert, a piece of evidence and everything else that a report tells. */
async function seededCase(soc: TestSoc, as: string): Promise<string> {
  const alert = await soc.call('POST', '/alerts', {
    as,
    body: {
      title: 'LSASS memory read',
      source: 'sysmon',
      severity: 'critical',
      host: 'fin-ws-07',
      mitre_techniques: ['T1003.001', 'T9999'],
    },
  })
  const opened = await soc.call('POST', '/cases', {
    as,
    body: {
      title: 'Stolen <credentials>',
      severity: 'high',
      description: 'A memory image | was taken.',
      alert_ids: [alert.body.id],
    },
  })
  const id = opened.body.id
  const add = (part: string, body: object) => soc.call('POST', `/cases/${id}/${part}`, { as, body })
  await add('comments', { body: 'Looked at *everything*' })
  await add('tasks', { title: 'Rotate passwords' })
  await add('observables', { type: 'ip', value: '203.0.113.45' })
  await add('evidence', { name: 'image', evidence_type: 'memory', sha256: 'a'.repeat(64) })
  return id
}

async function start(t: TestContext, options: Parameters<typeof startTestSoc>[1] = {}) {
  const soc = await startTestSoc(t, options)
  const as = await soc.signIn()
  const write = (body: object) => soc.call('POST', '/reports', { as, body })
  return { soc, as, write }
}

describe('POST /reports', () => {
  it('tells what happened on the machines, in the order in which it happened', async (t) => {
    const { soc, as, write } = await start(t)
    const event = (id: string, minute: string, CommandLine: string) => ({
      id,
      timestamp: `2026-01-02T03:${minute}:00.000Z`,
      host: 'fin-ws-07',
      user: 'ann',
      process: 'powershell.exe',
      message: `Process Create ${id}`,
      fields: { CommandLine },
    })
    const events = [
      event('later', '07', 'whoami /all'),
      event('first', '05', 'powershell -enc AAAA'),
    ]
    await soc.call('POST', '/siem/logs', { as, body: { events } })
    const promoted = await soc.call('POST', '/siem/logs/first/promote', {
      as,
      body: { create_case: true },
    })
    const case_id = promoted.body.case.id
    const second = await soc.call('POST', '/siem/logs/later/promote', { as, body: {} })
    await soc.call('POST', `/alerts/${second.body.alert.id}/case-link`, { as, body: { case_id } })
    const { body } = await write({ report_type: 'investigation', case_id })
    const told = body.content.slice(body.content.indexOf('## Events'))
    assert.match(told, /03:05:00.*fin-ws-07 \| ann \| powershell\.exe \| powershell -enc AAAA/)
    assert.ok(told.indexOf('-enc AAAA') < told.indexOf('whoami /all'), 'by the time of the event')
    assert.match(body.content, /fin-ws-07, ann \| powershell\.exe: powershell -enc AAAA/)
    assert.doesNotMatch(body.content, /Not every event/)

    const many = Array.from({ length: 21 }, (_, n) => ({ source: 'vpn', message: `knock ${n}` }))
    await soc.call('POST', '/siem/logs', { as, body: { events: many } })
    const rule = await soc.call('POST', '/detections/rules', {
      as,
      body: {
        ...{ name: 'Knocks', query: 'knock', source: 'vpn', alert_severity: 'low' },
        ...{ alert_title_template: 'Somebody knocks', auto_create_case: true },
        // By hand alone: a rule that is on may have found them before.
        enabled: false,
      },
    })
    const run = await soc.call('POST', `/detections/rules/${rule.body.id}/run`, { as })
    const alert = await soc.call('GET', `/alerts/${run.body.run.alert_ids[0]}`, { as })
    const cut = await write({ report_type: 'compliance', case_id: alert.body.case_id })
    assert.match(cut.body.content, /Not every event .* at most 20 of one alert/)
  })

  it('names what was done: orders to the hosts of a case, in merged ones, and of a period', async (t) => {
    const { soc, as, write } = await start(t)
    const told = async (body: object) => (await write(body)).body.content as string
    assert.match(await told({ report_type: 'compliance' }), /no endpoint ordered/)
    const case_id = await seededCase(soc, as)
    const order = (hostname: string) =>
      soc.query(
        `WITH endpoint AS (INSERT INTO edr_endpoints
            (id, hostname, ips, status, first_seen_at, last_seen_at)
          VALUES (gen_random_uuid(), $1, '{}', 'online', now(), now()) RETURNING id)
        INSERT INTO edr_actions
          (action_id, endpoint_id, command, status, simulated, adapter, requested_by)
        SELECT gen_random_uuid(), id, 'isolate', 'completed', false, 'http', 'leila' FROM endpoint`,
        [hostname],
      )
    const post = async (path: string, body: object) =>
      (await soc.call('POST', path, { as, body })).body
    const other = await post('/cases', { title: 'The same', severity: 'low' })
    const steps = [{ id: 'rest', action: 'wait', params: { seconds: 1 } }]
    const playbook = await post('/soar/playbooks', { name: 'Rest', is_critical: false, steps })
    await post(`/soar/playbooks/${playbook.id}/execute`, { case_id: other.id })
    await post(`/cases/${case_id}/merge`, { case_ids: [other.id] })
    await order('FIN-WS-07')
    await order('web-9')
    const ofCase = await told({ report_type: 'investigation', case_id })
    assert.match(ofCase, /isolate FIN-WS-07 \| leila \| completed/)
    assert.doesNotMatch(ofCase, /isolate web-9/)
    assert.match(ofCase, /playbook Rest/, 'of a case that was merged into it')
    const ofPeriod = await told({ report_type: 'compliance' })
    assert.match(ofPeriod, /isolate FIN-WS-07/)
    assert.match(ofPeriod, /isolate web-9/)

    // A machine says by itself when it is: one whose clock is ahead hides nothing with it.
    await soc.query("UPDATE alerts SET first_seen_at = '2999-01-01'")
    assert.match(await told({ report_type: 'investigation', case_id }), /isolate FIN-WS-07/)
  })

  it('names what was done in private cases that were merged into a private one', async (t) => {
    const { soc, as } = await start(t)
    const post = async (path: string, body: object, who = as) =>
      (await soc.call('POST', path, { as: who, body })).body
    const kim = await soc.signInAs('manager', 'kim')
    const steps = [{ id: 'rest', action: 'wait', params: { seconds: 1 } }]
    const playbook = await post('/soar/playbooks', { name: 'Rest', is_critical: false, steps })
    const opened = async (title: string) =>
      (await post('/cases', { title, access: { mode: 'private' } }, kim)).id
    const [into, other, apart] = [await opened('A'), await opened('B'), await opened('C')]
    for (const case_id of [other, apart]) {
      await post(`/soar/playbooks/${playbook.id}/execute`, { case_id }, kim)
    }
    await post(`/cases/${into}/merge`, { case_ids: [other] }, kim)
    const { content } = await post('/reports', { report_type: 'investigation', case_id: into }, kim)
    assert.equal(content.match(/playbook Rest/g)?.length, 1, content)
  })

  it('writes an investigation of a case as Markdown, with its ledger checked', async (t) => {
    const { soc, as, write } = await start(t)
    const case_id = await seededCase(soc, as)
    const { status, body } = await write({ report_type: 'investigation', case_id })
    assert.equal(status, 201)
    assert.equal(body.format, 'markdown')
    assert.equal(body.case_id, case_id)
    assert.equal(body.created_by, 'admin')
    for (const told of [
      '# Stolen &lt;credentials&gt;',
      'A memory image \\| was taken.',
      '| T1003.001 | LSASS Memory |',
      'T9999 | not in the bundled list',
      'LSASS memory read',
      'Looked at \\*everything\\*',
      'Rotate passwords',
      '203.0.113.45',
      'All 1 entries were recomputed',
      '<svg ',
    ]) {
      assert.ok(body.content.includes(told), told)
    }
    assert.equal(body.sha256, createHash('sha256').update(body.content).digest('hex'))
  })

  it('says so when the ledger was tampered with', async (t) => {
    const { soc, as, write } = await start(t)
    const case_id = await seededCase(soc, as)
    await soc.query(`ALTER TABLE evidence_ledger DISABLE TRIGGER USER`)
    await soc.query(`UPDATE evidence_ledger SET actor = 'mallory'`)
    const { body } = await write({ report_type: 'compliance', case_id })
    assert.match(body.content, /The ledger is NOT VALID: entry 1/)
  })

  for (const report_type of ['executive', 'compliance']) {
    it(`without a case an ${report_type} report is of the last thirty days`, async (t) => {
      const { soc, as, write } = await start(t)
      await seededCase(soc, as)
      const { status, body } = await write({ report_type, format: 'html' })
      assert.equal(status, 201)
      assert.equal(body.case_id, null)
      assert.match(body.content, /^<!doctype html>/)
      assert.match(body.content, /Stolen &lt;credentials&gt;/)
      assert.match(body.content, /1 entries, valid/)
    })
  }

  it('of a period tells nothing of private cases, whoever writes it', async (t) => {
    const { soc, as } = await start(t)
    const kim = await soc.signInAs('manager', 'kim')
    const post = async (path: string, body: object): Promise<string> =>
      (await soc.call('POST', path, { as: kim, body })).body.id
    const secret = await post('/cases', { title: 'Insider', access: { mode: 'private' } })
    const open = await post('/cases', { title: 'Open' })
    const params = { case_id: '{{ params.c }}', body: 'x' }
    const playbook = {
      parameters: { c: { type: 'string', default: '' } },
      steps: [{ id: 'note', action: 'add_comment', params, on_failure: 'continue' }],
    }
    const write = (name: string, is_critical: boolean) =>
      soc.call('POST', '/soar/playbooks', { as, body: { ...playbook, name, is_critical } })
    const [grave, plain] = [(await write('Gallows', true)).body, (await write('Plain', false)).body]
    for (const body of [
      { parameters: { c: secret } },
      { case_id: secret },
      { case_id: open, parameters: { c: secret } },
    ]) {
      for (const { id } of [grave, plain]) {
        await soc.call('POST', `/soar/playbooks/${id}/execute`, { as: kim, body })
      }
    }
    const writers = [as, kim]
    for (const writer of writers) {
      const body = { report_type: 'executive' }
      const { content } = (await soc.call('POST', '/reports', { as: writer, body })).body
      assert.doesNotMatch(content, /Gallows|playbook Plain/)
      assert.match(content, /Open now:\*\* 0 alerts, 1 cases/)
      assert.match(content, /Waiting for approval:\*\* 0/)
    }
    const body = { report_type: 'executive', case_id: open }
    const ofOpen = (await soc.call('POST', '/reports', { as: kim, body })).body.content
    assert.doesNotMatch(ofOpen, /Gallows|playbook Plain/, 'they name a case that not all may read')
    const own = { report_type: 'executive', case_id: secret }
    const ofSecret = (await soc.call('POST', '/reports', { as: kim, body: own })).body.content
    assert.match(ofSecret, /Gallows/)
    assert.match(ofSecret, /playbook Plain/)
  })

  for (const [body, complaint] of [
    [{ report_type: 'investigation' }, /case_id/],
    [{ report_type: 'diary' }, /report_type/],
    [{ report_type: 'executive', format: 'docx' }, /format/],
    [{ report_type: 'executive', colour: 'red' }, /colour/],
  ] as const) {
    it(`${JSON.stringify(body)} is 400 and names the field`, async (t) => {
      const { write } = await start(t)
      const reply = await write(body)
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, complaint)
    })
  }

  it('about a case that is not there is 404', async (t) => {
    const { write } = await start(t)
    const unknown = '00000000-0000-4000-8000-000000000000'
    assert.equal((await write({ report_type: 'executive', case_id: unknown })).status, 404)
  })

  it('as PDF without a browser is 503 and says what to do; nothing is stored', async (t) => {
    const { soc, as, write } = await start(t, { chromium: '/nowhere/chromium' })
    const case_id = await seededCase(soc, as)
    const { status, body } = await write({ report_type: 'executive', case_id, format: 'pdf' })
    assert.equal(status, 503)
    assert.match(body.detail, /install chromium, set SOC_CHROMIUM, or ask for html/)
    assert.equal((await soc.call('GET', '/reports', { as })).body.total, 0)
  })

  it('in dry_run is a preview with its content, and nothing is stored', async (t) => {
    const { soc, as, write } = await start(t, { mode: 'dry_run' })
    const { status, body } = await write({ report_type: 'executive' })
    assert.equal(status, 200)
    assert.equal(body.preview, true)
    assert.match(body.content, /The last thirty days/)
    assert.equal((await soc.call('GET', '/reports', { as })).body.total, 0)
  })

  it('in dummy is 409', async (t) => {
    const { write } = await start(t, { mode: 'dummy' })
    assert.equal((await write({ report_type: 'executive' })).status, 409)
  })

  it('needs cases:write: a viewer is refused', async (t) => {
    const { soc } = await start(t)
    const as = await soc.signInAs('viewer')
    const body = { report_type: 'executive' }
    assert.equal((await soc.call('POST', '/reports', { as, body })).status, 403)
  })
})

describe('GET /reports', () => {
  it('lists newest first without content; one report and its file carry it', async (t) => {
    const { soc, as, write } = await start(t)
    await write({ report_type: 'executive', title: 'first' })
    const { body: second } = await write({ report_type: 'compliance', title: 'second' })
    const viewer = await soc.signInAs('viewer')
    const { body: list } = await soc.call('GET', '/reports', { as: viewer })
    assert.deepEqual(
      list.items.map(({ title, content }: { title: string; content: null }) => [title, content]),
      [
        ['second', null],
        ['first', null],
      ],
    )
    const { body: filtered } = await soc.call('GET', '/reports?report_type=executive', { as })
    assert.equal(filtered.total, 1)

    const { body: one } = await soc.call('GET', `/reports/${second.id}`, { as: viewer })
    assert.deepEqual(one, second)
    const file = await soc.call('GET', `/reports/${second.id}/download`, { as: viewer })
    assert.equal(file.headers['content-type'], 'text/markdown; charset=utf-8')
    assert.equal(file.body, second.content)
  })

  it('an unknown report is 404', async (t) => {
    const { soc, as } = await start(t)
    assert.equal((await soc.call('GET', '/reports/nothing', { as })).status, 404)
  })
})
