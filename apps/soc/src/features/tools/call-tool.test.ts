import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { AuditEntry } from '../../core/audit/entry.ts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { modeOf } from '../../core/mode/mode.ts'
import { defineTool, type Tool, type ToolCall } from '../../core/tools/tool.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { createTools } from './call-tool.ts'

const principal: Principal = {
  username: 'noor',
  role: 'analyst',
  permissions: new Set(['alerts:read']),
  kind: 'user',
}

const plain = { title: '', description: '', permissions: ['alerts:read'] as [never] }
const anything = z.looseObject({})

/** A registry over tools of the test; `asked` are the approvals that were asked for. */
function registry(...tools: Tool[]) {
  const audited: AuditEntry[] = []
  const recorded: unknown[] = []
  const asked: object[] = []
  const ran: string[] = []
  const { call } = createTools({
    db: undefined as never,
    mode: modeOf('real'),
    log: silentLog,
    tools,
    recordAudit: async (entries) => void audited.push(...entries),
    agentState: async (id) => (id === 'agent-002' ? 'disabled' : 'on'),
    askPerson: async (_change, request) => {
      asked.push(request)
      return 'approval-1'
    },
    internalWorkflow: (work) =>
      work({ audit: async (entry) => void recorded.push(entry) } as ChangeContext),
  })
  return {
    audited,
    recorded,
    asked,
    ran,
    call: (name: string, input: unknown = {}, rest: Partial<ToolCall> = {}) =>
      call(name, input, { principal, ...rest }),
  }
}

const reading = defineTool({
  ...plain,
  name: 'read',
  effect: 'reads',
  input: anything,
  run: async () => ({ id: 'a-1' }),
  shows: ({ id }) => [id],
})

test('a bug is INTERNAL with a reference and nothing of its text', async () => {
  const { call, audited } = registry(
    defineTool({
      ...plain,
      name: 'break',
      effect: 'reads',
      input: anything,
      run: async () => {
        throw new Error('password=hunter2 at /srv/secret.ts:3')
      },
    }),
  )
  const answer = await call('break')
  assert.equal(answer.error_code, 'INTERNAL')
  assert.match(String(answer.error), /^something went wrong here: reference [0-9a-f-]{36}$/)
  assert.doesNotMatch(JSON.stringify([answer, audited]), /hunter2|secret/)
  assert.equal(audited[0]?.outcome, 'refused')
})

test('a disabled agent may not call', async () => {
  const { call } = registry(reading)
  const answer = await call('read', {}, { agent: 'Enrichment', isPipeline: true })
  assert.match(`${answer.error_code} ${answer.error}`, /^PERMISSION_DENIED Enrichment is disabled/)
})

test('a call over its budget is TIMEOUT, and its signal is raised', async () => {
  let wasAborted = false
  const { call } = registry(
    defineTool({
      ...plain,
      name: 'slow',
      effect: 'reads',
      input: anything,
      run: (_input, { signal }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => {
            wasAborted = true
            reject(signal.reason)
          })
        }),
    }),
  )
  const answer = await call('slow', {}, { budgetMs: 1 })
  assert.deepEqual([answer.error_code, wasAborted], ['TIMEOUT', true])
})

test('what was recorded when the time was over is undone', async () => {
  const { call } = registry(
    defineTool({
      ...plain,
      name: 'late',
      effect: 'records',
      input: anything,
      run: (_input, { record, signal }) =>
        record(async () => {
          if (!signal.aborted) {
            await new Promise((over) => signal.addEventListener('abort', over))
          }
          return { id: 'made' }
        }),
    }),
  )
  const answer = await call('late', {}, { budgetMs: 1 })
  assert.equal(answer.error_code, 'TIMEOUT')
})

test('what a tool records says that a tool did it, and for which agent', async () => {
  const { call, recorded } = registry(
    defineTool({
      ...plain,
      name: 'note',
      effect: 'records',
      input: anything,
      run: (_input, { record }) =>
        record(async ({ audit }) => {
          await audit({ action: 'case.create', target: 'case:1' })
          return { id: '1' }
        }),
    }),
  )
  await call('note')
  await call('note', {}, { agent: 'Triage', isPipeline: true })
  assert.partialDeepStrictEqual(recorded, [
    { action: 'case.create', detail: 'by note' },
    { action: 'case.create', detail: 'by note of agent:agent-001' },
  ])
})

test('a run that has read foreign text does not act: a person is asked', async () => {
  let acted = 0
  const acting = defineTool({
    ...plain,
    name: 'act',
    effect: 'acts',
    input: anything,
    run: async () => ({ acted: ++acted }),
  })
  const { call, asked } = registry(reading, acting)
  const run = { shown: new Set<string>(), hasReadForeignText: false, callsLeft: 5 }
  assert.equal((await call('act', {}, { run })).error_code, null)
  await call('read', {}, { run })
  const answer = await call('act', { alert_id: 'a-1' }, { run })
  assert.deepEqual(
    [answer.error_code, answer.status, answer.approval_id],
    ['APPROVAL_REQUIRED', 'pending_approval', 'approval-1'],
  )
  assert.deepEqual([acted, asked], [1, [{ tool: 'act', input: { alert_id: 'a-1' } }]])
})

test('an id that no record of the run has is refused, whatever the tool does', async () => {
  const { call } = registry(reading)
  const run = { shown: new Set<string>(), hasReadForeignText: false, callsLeft: 5 }
  const unseen = await call('read', { alert_ids: ['a-1'] }, { run })
  assert.match(
    `${unseen.error_code} ${unseen.error}`,
    /^INVALID_ARGUMENT alert_ids: a-1 is no record/,
  )
  await call('read', {}, { run })
  assert.equal((await call('read', { alert_ids: ['a-1'] }, { run })).error_code, null)
})

test('a run has so many calls', async () => {
  const { call } = registry(reading)
  const run = { shown: new Set<string>(), hasReadForeignText: false, callsLeft: 1 }
  assert.equal((await call('read', {}, { run })).error_code, null)
  assert.equal((await call('read', {}, { run })).error_code, 'RATE_LIMITED')
})
