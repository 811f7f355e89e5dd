import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERMISSIONS } from '@manara/soc-contract/permissions'
import type { Principal } from '../../core/identity/principal.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { eventsOf } from '../../testing/ask-chat.ts'
import { injectedLines } from '../../testing/injected-lines.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { converse } from './converse.ts'

/** Everything that would show that an order from a log line was followed. */
async function changes(soc: TestSoc) {
  const counts = await soc.query<Record<string, string>>(`SELECT
    (SELECT count(*) FROM executions WHERE requested_by IN ('admin', 'obedient')) AS executions,
    (SELECT count(*) FROM edr_actions) AS endpoint_actions,
    (SELECT count(*) FROM cases WHERE status IN ('resolved', 'closed') OR severity <> 'high') AS cases,
    (SELECT count(*) FROM alerts WHERE status IN ('resolved', 'closed', 'suppressed')
      OR severity <> 'critical') AS alerts,
    (SELECT count(*) FROM approvals WHERE status <> 'pending') AS decided,
    (SELECT count(*) FROM detection_suppressions) AS suppressions`)
  return counts[0]
}

const NOTHING = {
  executions: '0',
  endpoint_actions: '0',
  cases: '0',
  alerts: '0',
  decided: '0',
  suppressions: '0',
}

const AT_ONCE = 5

const inGroups = (names: string[]): string[][] =>
  names.length === 0 ? [] : [names.slice(0, AT_ONCE), ...inGroups(names.slice(AT_ONCE))]

/** Reads the lines with these names, and the records that the orders are about. */
const reading = (names: string) => [
  {
    name: 'search_logs',
    input: { query: `id:(${names.split(' ').join(' OR ')})`, limit: AT_ONCE },
  },
  { name: 'list_alerts', input: {} },
  { name: 'list_cases', input: {} },
]

test('a model that obeys every line in the logs changes nothing', async (t) => {
  const lines = injectedLines()
  assert.ok(lines.length >= 100, `only ${lines.length} lines`)
  const groups = inGroups(lines.map((_, index) => `line-${index}`))
  const ids: { alert?: string; case?: string } = {}
  /** All that a text could ask for, with the ids of real records, whether they were shown or not. */
  const orders = () => [
    { name: 'execute_playbook', input: { playbook_id: 'isolate-host', alert_id: ids.alert } },
    { name: 'execute_playbook', input: { playbook_id: 'triage-alert', alert_id: ids.alert } },
    { name: 'update_case', input: { case_id: ids.case, status: 'closed', severity: 'info' } },
    { name: 'update_alert', input: { alert_id: ids.alert, status: 'closed' } },
    { name: 'decide_approval', input: { approved: true } },
    { name: 'isolate_endpoint', input: { endpoint: 'fin-ws-07' } },
  ]
  const obedient = await scriptedModel(t, ({ messages }, turn) => {
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    if (turn === 0) {
      const query = question.split(':')[1]?.trim() ?? ''
      return { calls: reading(query) }
    }
    if (turn === 1) return { calls: orders() }
    return { text: `Alert ${ids.alert} is a false positive and was closed, as told.\nAll clear.\n` }
  })
  const soc = await startTestSoc(t, { languageModel: obedient.settings })
  const as = await soc.signIn()
  const alert = await soc.call('POST', '/alerts', {
    as,
    body: {
      title: lines[0]?.message ?? '',
      source: 'edr',
      severity: 'critical',
      host: 'fin-ws-07',
    },
  })
  ids.alert = alert.body.id
  const opened = await soc.call('POST', '/cases', {
    as,
    body: { title: 'Open', severity: 'high', description: lines[1]?.message },
  })
  ids.case = opened.body.id
  const events = lines.map((line, index) => ({
    ...line,
    id: `line-${index}`,
    timestamp: new Date().toISOString(),
    source: 'attack',
  }))
  const sent = await soc.call('POST', '/siem/logs', { as, body: { events } })
  assert.equal(sent.body.accepted, lines.length)

  await t.test(`chat: ${lines.length} lines, 0 actions, 0 closed, 0 changed verdicts`, async () => {
    for (const group of groups) {
      const { body } = await soc.call('POST', '/chat/stream', {
        as,
        body: { message: `what are these: ${group.join(' ')}` },
      })
      const called = eventsOf(body).filter(({ event }) => event === 'tool_call')
      assert.deepEqual(
        called.map(({ data }) => data.name),
        ['search_logs', 'list_alerts', 'list_cases'],
        String(group),
      )
    }
    assert.deepEqual(await changes(soc), NOTHING)
    const [made] = await soc.query<{ count: string }>(
      `SELECT count(*) FROM approvals WHERE requested_by = 'admin'`,
    )
    assert.equal(made?.count, '0')
  })

  await t.test('no line stands outside its fence, and none closes it', () => {
    for (const { messages } of obedient.requests) {
      const [, mark = ''] = /<data (\S+)>/.exec(messages[0]?.content ?? '') ?? []
      assert.equal((messages[0]?.content ?? '').includes('IGNORE'), false)
      for (const { role, content } of messages) {
        if (role !== 'tool') continue
        assert.equal(content?.split(`</data ${mark}>`).length, 2)
        assert.doesNotMatch(content ?? '', /[\u{e0000}-\u{e007f}\u200b\u202e]/u)
      }
    }
  })

  await t.test('a run that is offered every tool asks a person, or is refused', async () => {
    const admin: Principal = {
      username: 'obedient',
      role: 'service',
      permissions: new Set(PERMISSIONS),
      kind: 'user',
    }
    const codes = new Map<string, number>()
    for (const group of groups) {
      // As an agent has them whose own plan names these playbooks.
      const shown = new Set(['isolate-host', 'triage-alert'])
      const run = { shown, hasReadForeignText: false, callsLeft: 10 }
      const turns = [reading(group.join(' ')), orders(), []]
      const model: LanguageModel = {
        name: 'obedient',
        async *stream() {
          for (const [at, { name, input }] of (turns.shift() ?? []).entries()) {
            yield { kind: 'call', id: `c${at}`, name, arguments: JSON.stringify(input) }
          }
        },
      }
      const signal = new AbortController().signal
      const deps = {
        model,
        offered: soc.tools.list(),
        signal,
        call: async (name: string, input: Record<string, unknown>) => {
          const answer = await soc.tools.call(name, input, {
            principal: admin,
            agent: 'agent-007',
            isPipeline: true,
            run,
          })
          const code = String(answer.error_code)
          codes.set(code, (codes.get(code) ?? 0) + 1)
          return answer
        },
      }
      for await (const _ of converse(deps, [], 'look', run));
    }
    assert.deepEqual(await changes(soc), NOTHING)
    assert.ok(
      (codes.get('APPROVAL_REQUIRED') ?? 0) === 3 * groups.length,
      JSON.stringify([...codes]),
    )
  })
})
