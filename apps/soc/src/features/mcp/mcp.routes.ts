import { AppError, invalid } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { DEEPEST, isTooDeep } from '@manara/kit/is-too-deep'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '../../core/identity/caller.ts'
import type { ToolCall, Tools } from '../../core/tools/tool.ts'
import { usesTools } from '../../http/permissions.ts'
import { whileConnected } from '../../http/while-connected.ts'
import { createOwnHost } from './own-host.ts'

export type McpDeps = {
  tools: Tools
  version: string
  /** Names under which this service is known, beyond those of the machine. */
  hostNames: string[]
  /** 429 when there were too many calls from this address. */
  limitAddress(address: string): Promise<void>
}

const MOST_IN_A_BATCH = 20

/** Model Context Protocol over streamable HTTP, for the assistants that analysts use. */
export function mcpRoutes(http: Http, deps: McpDeps) {
  const isOwnHost = createOwnHost(deps.hostNames)
  // Loaded with the first call: most installations never have one.
  let server: Promise<ReturnType<typeof import('./mcp-server.ts').createMcpServer>> | undefined
  const load = async () => {
    const { createMcpServer } = await import('./mcp-server.ts')
    const onError = (error: Error) => http.log.debug({ err: error }, 'mcp')
    return createMcpServer({ tools: deps.tools, version: deps.version, onError })
  }
  http.addHook('preClose', async () => (await server)?.close())

  void http.register(async (scope: Http) => {
    scope.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer realm="manara-soc"')
    })
    const guard = usesTools()
    const route = {
      url: '/mcp',
      exposeHeadRoute: false,
      config: { ...guard.config, hasOwnBudget: true },
      schema: {
        tags: ['agents'],
        summary: 'Model Context Protocol (streamable HTTP)',
        description:
          'JSON-RPC 2.0, one call or several. GET and DELETE are of sessions, which this server has none of.',
      } as object,
      async onRequest(request: FastifyRequest) {
        await guard.onRequest(request)
        const { host, origin } = request.headers
        if (!isOwnHost({ host, origin })) {
          throw new AppError(403, 'host: this host or origin is not one of this service')
        }
      },
      async handler(request: FastifyRequest, reply: FastifyReply) {
        if (isTooDeep(request.body)) throw invalid('body', `is nested more than ${DEEPEST} deep`)
        for (let call = callsIn(request.body); call > 0; call -= 1) {
          await deps.limitAddress(request.ip)
        }
        server ??= load()
        const { serve } = await server
        await whileConnected(reply, async (signal) => {
          signal.throwIfAborted()
          const auth = authInfo(request, signal)
          reply.hijack()
          reply.raw.setHeader('x-request-id', request.id)
          await serve(
            Object.assign(request.raw, { auth, method: request.method, url: request.url }),
            reply.raw,
            request.body,
          )
        })
      },
    }
    // One by one: the document tells them apart.
    for (const method of ['GET', 'POST', 'DELETE'] as const) scope.route({ ...route, method })
  })
}

/** How much of the budget a request takes: each call in a batch counts. */
function callsIn(body: unknown): number {
  if (!Array.isArray(body)) return 1
  if (body.length > MOST_IN_A_BATCH) throw invalid('body', `at most ${MOST_IN_A_BATCH} calls`)
  return body.length
}

/** What the SDK hands on to the server of this request; no token goes any further. */
function authInfo(request: FastifyRequest, signal: AbortSignal) {
  const principal = principalOf(request)
  const agent = request.headers['x-agent-id']
  const call: ToolCall = {
    principal,
    agent: typeof agent === 'string' ? agent : undefined,
    isPipeline: principal.role === 'service',
    signal,
    address: request.ip,
    requestId: request.id,
  }
  return { token: '', clientId: principal.username, scopes: [], extra: { call } }
}
