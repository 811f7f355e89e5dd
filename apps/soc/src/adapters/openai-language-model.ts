import { afterSteps } from '@manara/kit/after-steps'
import { unavailable } from '@manara/kit/errors'
import type {
  ChatCompletionChunk,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { LanguageModel, ModelCall, ModelMessage, ModelPart } from '../ports/language-model.ts'

type CallPiece = ChatCompletionChunk.Choice.Delta.ToolCall

/** How long it may take to begin, and be silent. */
const PATIENCE_MS = 60_000
const MOST_TOKENS = 2_000
// What was asked for takes less than half of it, with all that stands around each word.
const MOST_BYTES = 2 * 1024 * 1024
const MOST_CALLS = 20

/** Every setting is given, since the package would read the environment for those left out. */
export function createOpenAiModel(settings: {
  url: string
  /** Asked for each call: it may be given another value. */
  key: (() => Promise<string>) | undefined
  model: string
  patienceMs?: number
}): LanguageModel {
  const { url, key = async () => 'none', model, patienceMs = PATIENCE_MS } = settings
  // Loaded with the first question: it is large, and most installations have no model.
  let client: ReturnType<typeof open> | undefined
  async function open() {
    const { default: OpenAI } = await import('openai')
    return new OpenAI({
      baseURL: url,
      apiKey: key,
      organization: null,
      project: null,
      timeout: patienceMs,
      maxRetries: 1,
      fetch: fetchBounded,
      logLevel: 'off',
    })
  }

  return {
    name: model,
    async *stream({ messages, tools, signal }): AsyncIterable<ModelPart> {
      client ??= open()
      // By number and no list: what counts them may say any number.
      const calls = new Map<number, ModelCall>()
      const silence = new AbortController()
      const waitAnew = () => afterSteps(patienceMs, () => silence.abort())
      let stopWaiting = waitAnew()
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
          { signal: AbortSignal.any([signal, silence.signal]) },
        )
        for await (const { choices, usage } of chunks) {
          stopWaiting()
          stopWaiting = waitAnew()
          if (usage) yield { kind: 'usage', tokens: usage.total_tokens }
          const delta = choices[0]?.delta
          if (delta?.content) yield { kind: 'text', text: String(delta.content) }
          for (const piece of delta?.tool_calls ?? []) addPiece(calls, piece)
        }
        // The package ends what was aborted as if all had come.
        silence.signal.throwIfAborted()
      } catch (error) {
        if (signal.aborted) throw error
        const reason = silence.signal.aborted ? 'it fell silent' : reasonOf(error)
        throw unavailable(`the language model did not answer: ${reason}`, error)
      } finally {
        stopWaiting()
      }
      for (const call of calls.values()) yield { kind: 'call', ...call }
    },
  }
}

/** More calls than a question may have are not kept. */
function addPiece(calls: Map<number, ModelCall>, { index, id, function: piece }: CallPiece) {
  const call = calls.get(index) ?? {
    id: id ?? `call-${index}`,
    name: piece?.name ?? '',
    arguments: '',
  }
  if (calls.size >= MOST_CALLS && !calls.has(index)) return
  call.arguments += piece?.arguments ?? ''
  calls.set(index, call)
}

/** An answer without an end breaks off, whatever it consists of. */
const fetchBounded: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  let bytes = 0
  const body = answer.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, stream) {
        bytes += chunk.length
        if (bytes > MOST_BYTES) throw new TooLong()
        stream.enqueue(chunk)
      },
    }),
  )
  return new Response(body ?? null, answer)
}

class TooLong extends Error {
  override name = 'it said more than it was asked for'
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
