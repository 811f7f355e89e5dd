import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInAnswer } from './built-in-answer.ts'
import type { Previews } from './preview-action.ts'

const DONE = { status: 'ok', error_code: null, error: null }
const PARTIAL = { reason: 'time_limit', detail: 'the search took longer than 30 seconds' }

async function told(text: string, answer: object): Promise<string> {
  const ask = async () => ({ ...DONE, ...answer })
  let said = ''
  for await (const line of builtInAnswer({ text, at: {}, now: 0 }, ask, {} as Previews))
    said += line
  return said
}

test('nothing found in a part of the logs is not told as nothing there', async () => {
  const none = { total: 0, is_total_exact: true, logs: [], entries: [], notes: [] }
  for (const text of ['search user:root', 'what happened on host web-1']) {
    const cut = await told(text, { ...none, partial: PARTIAL })
    assert.match(cut, /^Only a part of the logs was searched: the search took longer/)
    assert.doesNotMatch(await told(text, { ...none, partial: null }), /Only a part/)
  }
})

test('why a search found nothing is said', async () => {
  const none = { total: 0, is_total_exact: true, logs: [], partial: null }
  const said = await told('search usr:root', { ...none, notes: ['no event has the field usr'] })
  assert.match(said, /No event matches since .*\n- no event has the field usr/)
})

test('how many alerts are open is told of those alone, whenever they came', async () => {
  const asked: object[] = []
  const said: Record<string, object[]> = { new: [alertOf('One')], escalated: [alertOf('Two')] }
  const ask = async (tool: string, input: Record<string, unknown>) => {
    asked.push({ tool, ...input })
    const alerts = said[String(input.status)] ?? []
    return { ...DONE, total: alerts.length * 7, alerts }
  }
  let told = ''
  const question = { text: 'how many high alerts are open on web-1?', at: {}, now: 0 }
  for await (const line of builtInAnswer(question, ask, {} as Previews)) told += line
  assert.match(told, /^14 alerts; the newest:\n- .*\[Two\].*\n- .*\[One\]/)
  const of = { tool: 'list_alerts', severity: 'high', host: 'web-1' }
  const whenever = { from: '1970-01-01T00:00:00.000Z', limit: 10 }
  assert.deepEqual(
    asked,
    ['new', 'triaged', 'investigating', 'escalated'].map((status) => ({
      ...of,
      status,
      ...whenever,
    })),
  )
})

const alertOf = (title: string) => ({
  ...{ id: title, title, severity: 'high', status: 'new' },
  created_at: title === 'Two' ? '2026-03-02T00:00:00.000Z' : '2026-03-01T00:00:00.000Z',
})
