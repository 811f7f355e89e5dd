import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelPart } from '../ports/language-model.ts'
import { type Step, scriptedModel } from '../testing/scripted-model.ts'
import { createOpenAiModel } from './openai-language-model.ts'

test('what a model answers is bounded, however it counts and however long it goes on', async (t) => {
  let step: Step = { text: '' }
  const { settings, aborted } = await scriptedModel(t, () => step)
  const answerTo = async (next: Step, limits: { patienceMs?: number } = {}) => {
    step = next
    const model = createOpenAiModel({ ...settings, key: async () => 'k', ...limits })
    const { signal } = new AbortController()
    const said: ModelPart[] = []
    for await (const part of model.stream({ messages: [], tools: [], signal })) said.push(part)
    return said
  }
  const call = (index: number) => ({
    ...{ index, id: `c${index}`, type: 'function' },
    function: { name: 'search_logs', arguments: '{}' },
  })

  await t.test('a call under a huge number is one call', async () => {
    const said = await answerTo({ deltas: [{ tool_calls: [call(4_294_967_294)] }] })
    assert.deepEqual(
      said.map(({ kind }) => kind),
      ['call'],
    )
  })

  await t.test('of a hundred calls at once the first twenty count', async () => {
    const said = await answerTo({
      deltas: [{ tool_calls: Array.from({ length: 100 }, (_, index) => call(index)) }],
    })
    assert.deepEqual(
      said.map((part) => (part.kind === 'call' ? part.id : part.kind)),
      Array.from({ length: 20 }, (_, index) => `c${index}`),
    )
  })

  for (const [what, endless] of [
    ['a line', 'x'.repeat(100_000)],
    [
      'words',
      `data: ${JSON.stringify({ choices: [{ delta: { content: 'word '.repeat(1_000) } }] })}\n\n`,
    ],
  ] as const) {
    await t.test(`${what} without an end breaks off`, async () => {
      const before = aborted()
      await assert.rejects(answerTo({ endless }), {
        status: 503,
        message: /more than it was asked/,
      })
      await t.waitFor(() => assert.equal(aborted(), before + 1))
    })
  }

  await t.test('one that falls silent is not waited for', async () => {
    await assert.rejects(answerTo({ stall: 'thinking' }, { patienceMs: 100 }), {
      status: 503,
      message: /did not answer/,
    })
  })
})
