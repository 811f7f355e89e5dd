import { unavailable } from '@manara/kit/errors'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { LanguageModel, ModelCall, ModelMessage, ModelPart } from '../ports/language-model.ts'

const PATIENCE_MS = 60_000
const MOST_TOKENS = 2_000

/** Every setting is given, since the package would read the environment for those left out. */
export function createOpenAiModel(settings: {
  url: string
  /** Asked for each call: it may be given another value. */
  key: (() => Promise<string>) | undefined
  model: string
}): LanguageModel {
  const { url, key = async () => 'none', model } = settings
  // Loaded with the first question: it is large, and most installations have no model.
  let client: ReturnType<typeof open> | undefined
  async function open() {
    const { default: OpenAI } = await import('openai')
    return new OpenAI({
      baseURL: url,
      apiKey: key,
      organization: null,
      project: null,
      timeout: PATIENCE_MS,
      maxRetries: 1,
      logLevel: 'off',
    })
  }

  return {
    name: model,
    async *stream({ messages, tools, signal }): AsyncIterable<ModelPart> {
      client ??= open()
      const calls: ModelCall[] = []
      try {
        const { chat } = await client
        const chunks = await chat.completions.create(
          {
            model,
            messages: messages.map(toMessage),
            stream: true,
            stream_options: { include_usage: true },
            max_tokens: MOST_TOKENS,
            ...(tools.length > 0
              ? { tools: tools.map((one) => ({ type: 'function' as const, function: one })) }
              : {}),
          },
          { signal },
        )
        for await (const { choices, usage } of chunks) {
          if (usage) yield { kind: 'usage', tokens: usage.total_tokens }
          const delta = choices[0]?.delta
          if (delta?.content) yield { kind: 'text', text: delta.content }
          for (const { index, id, function: piece } of delta?.tool_calls ?? []) {
            calls[index] ??= { id: id ?? `call-${index}`, name: piece?.name ?? '', arguments: '' }
            calls[index].arguments += piece?.arguments ?? ''
          }
        }
      } catch (error) {
        if (signal.aborted) throw error
        throw unavailable(`the language model did not answer: ${reasonOf(error)}`, error)
      }
      for (const call of calls) if (call) yield { kind: 'call', ...call }
    },
  }
}

function toMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.callId, content: message.content }
  }
  if (message.role !== 'assistant') return message
  const tool_calls = message.calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: text },
  }))
  return {
    role: 'assistant',
    content: message.content,
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
  }
}

/** The status or the kind of failure; the text of the other side may hold anything. */
function reasonOf(error: unknown): string {
  const { status, name, message } = error as { status?: number; name: string; message: string }
  if (status !== undefined) return `it said ${status}`
  return message === 'terminated' ? 'it broke off' : name
}
