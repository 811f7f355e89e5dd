import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { ChatMessage, ChatStatus } from '@manara/soc-contract/chat'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '../../core/identity/caller.ts'
import type { LiveSessions } from '../../core/identity/sessions.ts'
import { beginEventStream, watchWelcome } from '../../http/event-stream.ts'
import { authenticated } from '../../http/permissions.ts'
import { whileConnected } from '../../http/while-connected.ts'
import { type AnswerDeps, answerChat, type Send } from './answer-chat.ts'
import { createConversations } from './conversations.ts'

export type ChatDeps = AnswerDeps & {
  /** 429 after so many messages in a minute. */
  limitChat(request: FastifyRequest): Promise<void>
  sessions: LiveSessions
  keepAliveMs?: number | undefined
}

const KEEP_ALIVE_MS = 15_000
const STREAMS_PER_USER = 2
const RETRY_S = 5

export function chatRoutes(http: Http, deps: ChatDeps) {
  const conversations = createConversations(deps.now)
  const open = new Map<AbortController, string>()
  // A stream is a request that lasts: shutdown ends them first.
  http.addHook('preClose', async () => {
    for (const ending of open.keys()) ending.abort()
  })

  http.get(
    '/chat',
    {
      ...authenticated(),
      schema: {
        tags: ['chat'],
        summary: 'Whether a language model words the answers',
        response: { 200: ChatStatus },
      },
    },
    () => ({ model: deps.model?.name ?? null }),
  )

  http.post(
    '/chat/stream',
    {
      ...authenticated(),
      schema: {
        tags: ['chat'],
        summary: 'Ask; the answer comes as server-sent events',
        description:
          'Events: `connected`, `token` {"content"}, `tool_call`, `tool_result`, `preview`, `error`, `end`. Everything is read with the permissions of the caller. Two streams a user at a time.',
        body: ChatMessage,
      },
    },
    async (request, reply) => {
      await deps.limitChat(request)
      const { username } = principalOf(request)
      const streams = [...open.values()].filter((name) => name === username).length
      if (streams >= STREAMS_PER_USER) {
        throw new AppError(
          429,
          `chat: ${STREAMS_PER_USER} answers at a time, wait for one to end`,
          {
            retryAfter: RETRY_S,
          },
        )
      }
      await whileConnected(reply, async (left) => {
        // Who went while it was asked who they are goes no second time.
        left.throwIfAborted()
        await answer(request, reply, left)
      })
    },
  )

  async function answer(request: FastifyRequest, reply: FastifyReply, left: AbortSignal) {
    const ending = new AbortController()
    const signal = AbortSignal.any([left, ending.signal])
    open.set(ending, principalOf(request).username)
    const welcome = watchWelcome(deps.sessions, request, () => ending.abort())
    const stream = beginEventStream(request, reply)
    const send: Send = (event, data) => {
      if (stream.writable) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    }
    const comments = setInterval(
      () => void reply.raw.write(': still here\n\n'),
      deps.keepAliveMs ?? KEEP_ALIVE_MS,
    )
    try {
      await converseWith(request, send, signal)
    } catch (error) {
      if (!signal.aborted) {
        request.log.error({ err: error }, 'the chat broke off')
        send('error', { detail: 'something went wrong here' })
        send('end', { answered_by: null })
      }
    } finally {
      clearInterval(comments)
      welcome.forget()
      open.delete(ending)
      reply.raw.end()
    }
  }

  async function converseWith(request: FastifyRequest, send: Send, signal: AbortSignal) {
    const { message, conversation_id, looking_at: at = {} } = request.body as ChatMessage
    const principal = principalOf(request)
    const conversation = conversations.open(principal.id ?? principal.username, conversation_id)
    send('connected', { conversation_id: conversation.id, model: deps.model?.name ?? null })
    const call = { principal, address: request.ip, requestId: request.id }
    const history = conversation.messages
    const answer = await answerChat(deps, { message, at, history, call, signal }, send)
    conversations.remember(conversation, message, answer)
  }
}
