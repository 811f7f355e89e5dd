import type { Http } from '@manara/kit/http'
import type { FastifyRequest } from 'fastify'
import { createOpenAiModel } from '../adapters/openai-language-model.ts'
import type { Tools } from '../core/tools/tool.ts'
import { type ChatDeps, chatRoutes } from '../features/chat/chat.routes.ts'
import { credentialOf } from '../features/secrets/credential.ts'
import type { Platform } from './area.ts'

type ChatNeeds = Pick<ChatDeps, 'findEndpoint' | 'sessions'> & {
  tools: Tools
  limitChat(request: FastifyRequest): Promise<void>
  keepAliveMs: number | undefined
}

/** The chat, with a language model when one is set. */
export function composeChat(platform: Platform, needs: ChatNeeds) {
  const { config, log } = platform
  const { url, key, model: name } = config.languageModel
  const model =
    url && name
      ? createOpenAiModel({
          ...{ url, model: name },
          key: key === undefined ? undefined : credentialOf(platform, key, url),
        })
      : undefined
  return { routes: (api: Http) => chatRoutes(api, { ...needs, model, log, now: Date.now }) }
}
