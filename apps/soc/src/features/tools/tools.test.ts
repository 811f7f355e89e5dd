import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolEnvelope } from '@manara/soc-contract/tools'
import { keyWith } from '../../testing/log-sender.ts'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const SCOPES = [
  'alerts:read',
  'alerts:write',
  'cases:read',
  'cases:write',
  'playbooks:execute',
  'investigation:trigger',
  'reports:read',
  'siem:read',
  'detections:read',
] as const

/** Calls as an agent with the key of a service account. */
function caller(soc: TestSoc, key: string) {
  return async (
    tool: string,
    input: unknown = {},
    agent = 'agent-001',
    rest: object = {},
  ): Promise<ToolEnvelope> => {
    const { status, body } = await soc.call('POST', `/agents/${agent}/tools/${tool}`, {
      headers: { 'x-api-key': key },
      body: { arguments: input, ...rest },
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
}

const alertBody = { title: 'Beacon', source: 'dns', host: 'fin-ws-07', severity: 'high' }

test('the five contracts and the reading tools', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = caller(soc, await keyWith(soc, ...SCOPES))
  const { write } = playbookRuns(soc, as)
  const alert = (await soc.call('POST', '/alerts', { as, body: alertBody })).body
  let caseId = ''

  await t.test('GET /agents/tools lists them with their schemas', async () => {
    const { body } = await soc.call('GET', '/agents/tools', { as })
    const names = body.items.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.slice(0, 5), [
      'execute_playbook',
      'request_human_approval',
      'create_case',
      'update_case',
      'generate_report',
    ])
    assert.equal(body.total, 16)
    const [execute] = body.items
    assert.deepEqual(execute.input_schema.required, ['playbook_id', 'alert_id'])
    assert.deepEqual(
      [execute.effect, execute.input_schema.properties.dry_run.default],
      ['acts', false],
    )
  })

  await t.test('create_case answers case_id and open, and links the alerts', async () => {
    const made = await call('create_case', { title: 'Finance', alert_ids: [alert.id] })
    assert.deepEqual(made, {
      status: 'open',
      error_code: null,
      error: null,
      case_id: made.case_id,
    })
    caseId = String(made.case_id)
    const { body } = await soc.call('GET', `/cases/${caseId}`, { as })
    assert.deepEqual([body.title, body.alert_ids], ['Finance', [alert.id]])
  })

  await t.test('create_case without a title takes that of the first alert', async () => {
    const other = await soc.call('POST', '/alerts', { as, body: { ...alertBody, title: 'DNS' } })
    const made = await call('create_case', { alert_ids: [other.body.id] }, 'Correlation')
    const { body } = await soc.call('GET', `/cases/${made.case_id}`, { as })
    assert.equal(body.title, 'DNS')
  })

  await t.test('update_case changes status and severity, and notes become a comment', async () => {
    const changed = await call('update_case', {
      case_id: caseId,
      status: 'investigating',
      severity: 'critical',
      notes: 'beacon every 60 s',
    })
    assert.deepEqual(
      [changed.case_id, changed.status, changed.error_code],
      [caseId, 'investigating', null],
    )
    const { body } = await soc.call('GET', `/cases/${caseId}`, { as })
    assert.deepEqual([body.severity, body.comments[0].body], ['critical', 'beacon every 60 s'])
  })

  await t.test('generate_report answers report_id and content', async () => {
    const report = await call('generate_report', { report_type: 'investigation', case_id: caseId })
    assert.equal(report.error_code, null)
    assert.match(String(report.content), /^# .*Finance/)
    const stored = await soc.call('GET', `/reports/${report.report_id}`, { as })
    assert.equal(stored.body.content, report.content)
    const without = await call('generate_report', { report_type: 'investigation' })
    assert.match(`${without.error_code} ${without.error}`, /^INVALID_ARGUMENT case_id: /)
  })

  await t.test('execute_playbook waits for the end and counts its steps', async () => {
    const { id } = await write({
      steps: [
        { id: 'one', action: 'add_comment', params: { case_id: caseId, body: 'a' } },
        { id: 'two', action: 'add_comment', params: { case_id: caseId, body: 'b' } },
      ],
    })
    const done = await call('execute_playbook', { playbook_id: id, alert_id: alert.id })
    const { execution_id, ...rest } = done
    assert.deepEqual(rest, {
      status: 'completed',
      error_code: null,
      error: null,
      steps_completed: 2,
      total_steps: 2,
      dry_run: false,
    })
    const stored = await soc.call('GET', `/soar/executions/${execution_id}`, { as })
    assert.equal(stored.body.status, 'completed')
    const rehearsed = await call('execute_playbook', {
      playbook_id: id,
      alert_id: alert.id,
      dry_run: true,
    })
    assert.deepEqual([rehearsed.status, rehearsed.dry_run], ['completed', true])
  })

  await t.test('execute_playbook of one that fails says so and counts what was done', async () => {
    const { id } = await write({
      steps: [
        {
          id: 'left_out',
          action: 'add_comment',
          params: { case_id: caseId, body: 'a' },
          when: 'false',
        },
        { id: 'fails', action: 'add_comment', params: { case_id: 'nowhere', body: 'b' } },
        { id: 'never', action: 'add_comment', params: { case_id: caseId, body: 'c' } },
      ],
    })
    const { execution_id, ...rest } = await call('execute_playbook', {
      playbook_id: id,
      alert_id: alert.id,
    })
    assert.deepEqual(rest, {
      status: 'failed',
      error_code: 'CONFLICT',
      error: `the playbook has failed at fails: GET /soar/executions/${execution_id} says why`,
      steps_completed: 1,
      total_steps: 3,
      dry_run: false,
    })
  })

  await t.test('execute_playbook of a critical one runs only after a person approved', async () => {
    const { id } = await write({
      is_critical: true,
      steps: [{ id: 'one', action: 'add_comment', params: { case_id: caseId, body: 'approved' } }],
    })
    const input = { playbook_id: id, alert_id: alert.id }
    const first = await call('execute_playbook', input)
    assert.deepEqual(
      [first.status, first.error_code, first.execution_id, first.total_steps],
      ['pending_approval', 'APPROVAL_REQUIRED', null, 1],
    )
    const again = await call('execute_playbook', input)
    assert.equal(again.approval_id, first.approval_id)

    const decide = (approval: unknown, approved: boolean) =>
      soc.call('POST', `/approvals/${approval}/decide`, { as, body: { approved, reason: 'ok' } })
    await decide(first.approval_id, true)
    assert.equal((await call('execute_playbook', input)).status, 'completed')

    const next = await call('execute_playbook', input)
    assert.notEqual(next.approval_id, first.approval_id)
    await decide(next.approval_id, false)
    const rejected = await call('execute_playbook', input)
    assert.deepEqual([rejected.status, rejected.error_code], ['rejected', 'APPROVAL_REJECTED'])
  })

  await t.test('request_human_approval answers at once; approval_status tells', async () => {
    const asked = await call('request_human_approval', {
      action: 'wipe fin-ws-07',
      justification: 'beacon',
      case_id: caseId,
    })
    assert.deepEqual([asked.status, asked.decided_by, asked.error_code], ['pending', null, null])
    const look = () => call('approval_status', { approval_id: asked.approval_id })
    assert.equal((await look()).status, 'pending')
    await soc.query(
      `UPDATE approval_waits SET polls = 9, next_poll_at = now() WHERE approval_id = $1`,
      [asked.approval_id],
    )
    let late = await look()
    while (late.status === 'pending') late = await look()
    assert.deepEqual([late.status, late.error_code], ['timeout', 'APPROVAL_TIMEOUT'])
    await soc.call('POST', `/approvals/${asked.approval_id}/decide`, {
      as,
      body: { approved: true },
    })
    const decided = await look()
    assert.deepEqual([decided.status, decided.decided_by], ['approved', 'admin'])
    const stranger = caller(soc, await keyWith(soc, 'investigation:trigger'))
    const hidden = await stranger('approval_status', { approval_id: asked.approval_id })
    assert.equal(hidden.error_code, 'NOT_FOUND')
  })

  await t.test('search, aggregate and timeline read the logs', async () => {
    const at = (minute: number) => new Date(Date.now() - minute * 60_000).toISOString()
    const events = [
      { id: 'e1', timestamp: at(2), source: 'sshd', host: 'web-1', user: 'root', message: 'no' },
      { id: 'e2', timestamp: at(1), source: 'sshd', host: 'web-1', user: 'sara', message: 'yes' },
    ]
    await soc.call('POST', '/siem/logs', { as, body: { events } })
    const found = await call('search_logs', { query: 'user:root' })
    assert.deepEqual([found.total, (found.logs as { id: string }[])[0]?.id], [1, 'e1'])
    const counted = await call('aggregate_logs', { by: 'user', query: 'host:web-1' })
    assert.deepEqual((counted.groups as { value: string }[]).map(({ value }) => value).sort(), [
      'root',
      'sara',
    ])
    assert.equal(
      ((await call('aggregate_logs', { by: 'time', bucket_s: 60 })).groups as object[]).length,
      2,
    )
    const told = await call('timeline', { host: 'web-1' })
    assert.deepEqual(
      (told.entries as { id: string }[]).map(({ id }) => id),
      ['e1', 'e2'],
    )
    const newest = await call('timeline', { host: 'web-1', limit: 1 })
    assert.deepEqual(
      [(newest.entries as object[]).length, newest.total, newest.is_total_exact],
      [1, 2, true],
    )
    assert.equal(((await call('timeline', { user: '*' })).entries as object[]).length, 0)
    assert.equal(((await call('get_log', { log_id: 'e1' })).log as { user: string }).user, 'root')
    const longest = await call('get_log', { log_id: 'x'.repeat(512) })
    assert.equal(longest.error_code, 'NOT_FOUND')
    const bad = await call('search_logs', { query: 'host:(' })
    assert.match(`${bad.error_code} ${bad.error}`, /^INVALID_ARGUMENT query: /)
    const badTime = await call('aggregate_logs', { by: 'time', query: 'host:(' })
    assert.match(`${badTime.error_code} ${badTime.error}`, /^INVALID_ARGUMENT query: /)
    const few = await call('search_logs', { limit: 0 })
    assert.equal(few.error, 'limit: must be at least 1')
  })

  await t.test('alerts, cases and coverage are read', async () => {
    const one = await call('get_alert', { alert_id: alert.id })
    assert.equal((one.alert as { title: string }).title, 'Beacon')
    assert.equal((await call('list_alerts', { host: 'fin-ws-07' })).total, 2)
    assert.equal((await call('list_cases', { status: 'investigating' })).total, 1)
    const open = await call('get_case', { case_id: caseId })
    assert.equal((open.case as { id: string }).id, caseId)
    assert.ok(((await call('timeline', { case_id: caseId })).entries as object[]).length > 2)
    const before = await call('timeline', { case_id: caseId, to: '2020-01-01T00:00:00Z' })
    assert.deepEqual([before.entries, before.total], [[], 0])
    const last = await call('timeline', { case_id: caseId, limit: 1 })
    assert.ok((last.total as number) > (last.entries as object[]).length)
    assert.ok(((await call('rule_coverage')).tactics as object[]).length > 10)
  })
})

test('calls that are refused', async (t) => {
  const soc = await startTestSoc(t)
  const rehearsal = await startTestSoc(t, {
    ...{ mode: 'dry_run', rates: { execute: 1 }, connection: soc.connection },
  })
  const as = await soc.signIn()
  const key = await keyWith(soc, ...SCOPES)
  const [call, rehearse] = [caller(soc, key), caller(rehearsal, key)]
  const alert = (await soc.call('POST', '/alerts', { as, body: alertBody })).body
  const execution = { playbook_id: 'isolate-host', alert_id: alert.id }

  await t.test('the checks come in their order, each with its code', async () => {
    const poor = caller(soc, await keyWith(soc, 'alerts:read'))
    const tries: [string, () => Promise<ToolEnvelope>, string, RegExp][] = [
      [
        'unknown agent',
        () => poor('create_case', { title: 5 }, 'agent-017'),
        'NOT_FOUND',
        /agent-017/,
      ],
      [
        'agent-015',
        () => poor('create_case', { title: 5 }, 'agent-015'),
        'PERMISSION_DENIED',
        /Supervisor/,
      ],
      [
        'by its name',
        () => call('create_case', {}, 'ApprovalGate'),
        'PERMISSION_DENIED',
        /may not/,
      ],
      ['unknown tool', () => call('format_disk'), 'NOT_FOUND', /no tool/],
      ['permission', () => poor('create_case', { title: 5 }), 'PERMISSION_DENIED', /cases:write/],
      ['type', () => call('create_case', { title: 5 }), 'INVALID_ARGUMENT', /^title: /],
      [
        'unknown field',
        () => call('create_case', { colour: 1 }),
        'INVALID_ARGUMENT',
        /^colour: is not/,
      ],
      [
        'required',
        () => call('execute_playbook', { playbook_id: 'x' }),
        'INVALID_ARGUMENT',
        /^alert_id: is required/,
      ],
      [
        'no playbook',
        () => call('execute_playbook', { playbook_id: 'nope', alert_id: alert.id }),
        'NOT_FOUND',
        /playbook nope/,
      ],
      [
        'no alert',
        () => call('execute_playbook', { playbook_id: 'triage-alert', alert_id: UNKNOWN }),
        'NOT_FOUND',
        /alert/,
      ],
      [
        'no case',
        () => call('update_case', { case_id: 'x', status: 'closed' }),
        'NOT_FOUND',
        /case x/,
      ],
      [
        'no linked alert',
        () => call('create_case', { alert_ids: [alert.id, UNKNOWN] }),
        'NOT_FOUND',
        /alert/,
      ],
      [
        'ttl',
        () => call('request_human_approval', { action: 'a', justification: 'b', ttl_hours: 0 }),
        'INVALID_ARGUMENT',
        /^ttl_hours: /,
      ],
      [
        'format',
        () => call('generate_report', { format: 'docx' }),
        'INVALID_ARGUMENT',
        /^format: /,
      ],
    ]
    for (const [what, attempt, code, message] of tries) {
      const answer = await attempt()
      assert.deepEqual([answer.status, answer.error_code], ['error', code], what)
      assert.match(String(answer.error), message, what)
    }
    assert.equal((await soc.call('GET', '/cases', { as })).body.total, 0)

    const { body } = await soc.call('GET', '/audit?limit=200&outcome=refused', { as })
    const calls = body.items.filter(({ action }: { action: string }) => action.startsWith('tool.'))
    assert.equal(calls.length, tries.length)
    assert.ok(calls.every(({ actor_kind }: { actor_kind: string }) => actor_kind === 'api_key'))
  })

  await t.test('who may speak for an agent: service accounts and managers', async () => {
    const path = '/agents/agent-001/tools/list_alerts'
    const codeOf = async (as: string) => (await soc.call('POST', path, { as })).body.error_code
    assert.equal(await codeOf(await soc.signInAs('analyst')), 'PERMISSION_DENIED')
    assert.equal(await codeOf(await soc.signInAs('manager')), null)
    assert.equal((await soc.call('POST', path)).status, 401)
  })

  await t.test(
    'dry_run keeps what agents record and rehearses what acts; persons change nothing',
    async () => {
      assert.equal((await rehearse('create_case', { title: 'kept' })).status, 'open')
      const acted = await rehearse('execute_playbook', execution)
      assert.equal(acted.dry_run, true)
      const person = await rehearsal.call('POST', '/agents/agent-001/tools/create_case', {
        as,
        body: { arguments: { title: 'not kept' } },
      })
      assert.equal(person.body.error_code, 'MODE_BLOCKED')
      assert.equal((await soc.call('GET', '/cases?q=kept', { as })).body.total, 1)
    },
  )

  await t.test('too many executions are RATE_LIMITED', async () => {
    assert.equal((await rehearse('execute_playbook', execution)).error_code, 'RATE_LIMITED')
  })

  await t.test('dummy blocks what changes and still reads', async (t) => {
    const dummy = await startTestSoc(t, { mode: 'dummy', connection: soc.connection })
    const show = caller(dummy, key)
    const blocked = await show('create_case', { title: 'x' })
    assert.deepEqual([blocked.status, blocked.error_code], ['error', 'MODE_BLOCKED'])
    assert.equal((await show('list_alerts')).error_code, null)
  })

  await t.test('while all agents are paused none of them calls a tool', async () => {
    assert.equal((await call('list_alerts')).error_code, null)
    await soc.call('POST', '/agents/pause', { as, body: { reason: 'one has gone mad' } })
    const refused = await call('create_case', { title: 'of a paused one' })
    assert.deepEqual(
      [refused.error_code, refused.error],
      ['PERMISSION_DENIED', 'all agents are paused: resume them first'],
    )
    assert.equal((await soc.call('GET', '/cases?q=paused', { as })).body.total, 0)
    await soc.call('POST', '/agents/resume', { as })
    assert.equal((await call('create_case', { title: 'x' })).error_code, null)
  })
})
