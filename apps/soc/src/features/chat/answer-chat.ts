import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { LookingAt } from '@manara/soc-contract/chat'
import type { ToolEnvelope } from '@manara/soc-contract/tools'
import type { ToolCall, Tools } from '../../core/tools/tool.ts'
import type { LanguageModel, ModelMessage } from '../../ports/language-model.ts'
import { builtInAnswer } from './built-in-answer.ts'
import { converse } from './converse.ts'
import { wishOf } from './domain/wish.ts'

type ChatEvent = 'connected' | 'token' | 'tool_call' | 'tool_result' | 'preview' | 'error' | 'end'
export type Send = (event: ChatEvent, data: object) => void

export type AnswerDeps = {
  tools: Tools
  model: LanguageModel | undefined
  log: Logger
  now(): number
  /** By its name or id, in the inventory. */
  findEndpoint(name: string): Promise<{ id: string; hostname: string } | undefined>
}

const MOST_CALLS = 12

export type Question = {
  message: string
  /** What stands open in front of the one who asks. */
  at: LookingAt
  history: ModelMessage[]
  call: ToolCall
  signal: AbortSignal
}

/** Answers one message; resolves with what was said. Everything is read as the one who asks. */
export async function answerChat(deps: AnswerDeps, asked: Question, send: Send): Promise<string> {
  const { signal, at } = asked
  let said = ''
  const say = (content: string) => {
    said += content
    send('token', { content })
  }
  const use = createUse(deps.tools, { ...asked.call, signal }, send)

  let answeredBy = 'built-in'
  // What somebody would like to be done is never left to a model: it is shown exactly.
  if (deps.model && !wishOf(asked.message)) {
    try {
      for await (const line of askModel(deps, deps.model, asked, use)) say(line)
      if (said !== '') answeredBy = deps.model.name
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof AppError)) deps.log.error({ err: error }, 'the chat model failed')
      const detail = error instanceof AppError ? error.message : 'the language model failed'
      send('error', { detail })
    }
  }
  if (said === '') {
    const question = { text: asked.message, at, now: deps.now() }
    const lines = builtInAnswer(question, (name, input) => use(name, input), {
      findEndpoint: async (name) =>
        asked.call.principal.permissions.has('edr:read') ? deps.findEndpoint(name) : undefined,
      offer: (preview) => send('preview', preview),
    })
    for await (const line of lines) {
      signal.throwIfAborted()
      say(line)
    }
  }
  send('end', { answered_by: answeredBy })
  return said
}

function askModel(
  deps: AnswerDeps,
  model: LanguageModel,
  { message, at, history, call, signal }: Question,
  use: Use,
) {
  const { permissions } = call.principal
  const offered = deps.tools
    .list()
    .filter(
      (tool) => tool.effect === 'reads' && tool.permissions.every((one) => permissions.has(one)),
    )
  const open = Object.entries(at).map(([kind, id]) => `${kind} ${JSON.stringify(id)}`)
  const asked = open.length > 0 ? `${message}\n\nOpen in front of me: ${open.join(', ')}` : message
  const ids = [at.alert_id, at.case_id, at.log_id].filter((id) => id !== undefined)
  const shown = new Set([...idsIn(message), ...ids])
  const run = { shown, hasReadForeignText: false, callsLeft: MOST_CALLS }
  return converse({ model, offered, call: use, signal }, history, asked, run)
}

/** What the person wrote themselves may be looked up. */
const idsIn = (message: string) =>
  new Set(message.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? [])

type Use = (
  name: string,
  input: Record<string, unknown>,
  run?: ToolCall['run'],
) => Promise<ToolEnvelope>

/** Each call is shown with how it ended; what it found is in the answer. */
function createUse(tools: Tools, call: ToolCall, send: Send): Use {
  let number = 0
  return async (name, input, run) => {
    number += 1
    const id = `call-${number}`
    send('tool_call', { id, name, arguments: input })
    const answer = await tools.call(name, input, { ...call, run })
    const { status, error_code, error } = answer
    send('tool_result', { id, name, status, error_code, error })
    call.signal?.throwIfAborted()
    return answer
  }
}
