import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamEvent } from '@manara/ui/event-stream'
import { createChat } from './chat.ts'

function memoryOf(values: Record<string, string> = {}) {
  const map = new Map(Object.entries(values))
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  }
}

const told = (event: string, data: object): StreamEvent => ({
  ...{ event, id: null },
  data: JSON.stringify(data),
})

const ANSWER = [
  told('connected', { conversation_id: 'c-1', model: null }),
  told('tool_call', { id: 'call-1', name: 'get_alert' }),
  told('tool_result', { id: 'call-1', name: 'get_alert', error_code: null }),
  told('token', { content: 'One ' }),
  told('token', { content: 'line.\n' }),
  told('end', { answered_by: 'built-in' }),
]

function chatWith(
  events: StreamEvent[],
  memory = memoryOf(),
  owner = 'sara',
  sent: Record<string, unknown>[] = [],
) {
  const chat = createChat({
    ...{ memory, owner, explain: String },
    async ask(body, onEvent) {
      sent.push(body as Record<string, unknown>)
      for (const event of events) onEvent(event)
    },
  })
  return { chat, memory, sent }
}

test('an answer grows as it comes, with what was read for it', async () => {
  const { chat, sent } = chatWith(ANSWER)
  await chat.ask('explain this', { host: 'web-1' })
  await chat.ask('and then?', {})
  const [first] = chat.turns.value
  assert.equal(first?.answer, 'One line.\n')
  assert.equal(first?.state, 'done')
  assert.deepEqual(first?.steps, [{ id: 'call-1', name: 'get_alert', isRefused: false }])
  assert.deepEqual(sent[0], { message: 'explain this', looking_at: { host: 'web-1' } })
  assert.deepEqual(sent[1], { message: 'and then?', conversation_id: 'c-1' })
})

test('the thread is there after a reload, for the same person only', async () => {
  const { chat, memory } = chatWith(ANSWER)
  await chat.ask('one', {})
  assert.equal(chatWith([], memory).chat.turns.value[0]?.answer, 'One line.\n')
  assert.deepEqual(chatWith([], memory, 'omar').chat.turns.value, [])
  chatWith([], memory).chat.clear()
  assert.deepEqual(chatWith([], memory).chat.turns.value, [])
  assert.deepEqual(chatWith([], memoryOf({ chat: '{broken' })).chat.turns.value, [])
})

test('a conversation that the service forgot is said to begin anew', async () => {
  const { chat, memory } = chatWith(ANSWER)
  await chat.ask('one', {})
  const later = chatWith(
    [told('connected', { conversation_id: 'c-2' }), ...ANSWER.slice(1)],
    memory,
  )
  await later.chat.ask('two', {})
  assert.equal(later.chat.turns.value[1]?.isBegunAnew, true)
})

test('a stream that is cut, and a refusal, are failures; stopping is none', async () => {
  const cut = chatWith(ANSWER.slice(0, 4)).chat
  await cut.ask('one', {})
  assert.equal(cut.turns.value[0]?.state, 'failed')
  const refused = createChat({
    ...{ memory: memoryOf(), owner: 'sara', explain: String },
    ask: async () => {
      throw new Error('429')
    },
  })
  await refused.ask('one', {})
  assert.match(refused.turns.value[0]?.problem ?? '', /429/)
  const slow = createChat({
    ...{ memory: memoryOf(), owner: 'sara', explain: String },
    ask: (_body, _onEvent, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  const asked = slow.ask('one', {})
  slow.stop()
  await asked
  assert.equal(slow.turns.value[0]?.state, 'stopped')
})
