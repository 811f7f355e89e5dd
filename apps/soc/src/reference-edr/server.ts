import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Running } from '@manara/kit/service'
import { EdrOrder } from '@manara/soc-contract/edr-api'
import { createSignatureCheck } from './check-signature.ts'
import { openState, type ReferenceAction } from './state.ts'

/** Long enough that a connection is seldom closed under a call that is on its way. */
const KEPT_MS = 60_000

/** For tests and demos only: play an endpoint that goes and comes, or answers that get lost. */
type Stage = { endpoint_id?: string; status?: 'online' | 'offline'; lose_answers?: boolean }

type Answer = { status: number; body: object }

/** The API of docs/edr.md with endpoints that exist only here. */
export async function startReferenceEdr(config: {
  host: string
  port: number
  secret: string
  stateFile?: string | undefined
}): Promise<Running> {
  const { state, save } = openState(config.stateFile)
  const wrongWith = createSignatureCheck(config.secret, Date.now)
  let isLosingAnswers = false

  function order(given: unknown, key: string): Answer {
    const parsed = EdrOrder.safeParse(given)
    if (!parsed.success || parsed.data.action_id !== key) return refuse(400, 'bad_order')
    const known = state.actions.find(({ action_id }) => action_id === key)
    if (known) return { status: 200, body: known }
    const { endpoint_id, command } = parsed.data
    const endpoint = state.endpoints.find(({ id }) => id === endpoint_id)
    if (!endpoint) return refuse(404, 'unknown_endpoint')
    if (endpoint.status === 'offline') return refuse(409, 'endpoint_offline')
    if (command !== 'scan') endpoint.isolation = command === 'isolate' ? 'isolated' : 'none'
    const action: ReferenceAction = {
      ...parsed.data,
      status: command === 'scan' ? 'running' : 'completed',
      detail: null,
    }
    state.actions.push(action)
    state.executions.push(`${command} ${endpoint.hostname}`)
    save()
    return { status: 202, body: action }
  }

  /** A scan is over when somebody asks for the first time. */
  function outcome(id: string): Answer {
    const action = state.actions.find(({ action_id }) => action_id === id)
    if (!action) return refuse(404, 'unknown_action')
    if (action.status === 'running') {
      Object.assign(action, { status: 'completed', detail: 'nothing found' })
      save()
    }
    return { status: 200, body: action }
  }

  function list(): Answer {
    const last_seen_at = new Date().toISOString()
    for (const endpoint of state.endpoints) {
      if (endpoint.status === 'online') endpoint.last_seen_at = last_seen_at
    }
    return { status: 200, body: { endpoints: state.endpoints, next_cursor: null } }
  }

  function stage({ endpoint_id, status, lose_answers }: Stage): Answer {
    const endpoint = state.endpoints.find(({ id }) => id === endpoint_id)
    if (endpoint && (status === 'online' || status === 'offline')) endpoint.status = status
    if (lose_answers !== undefined) isLosingAnswers = lose_answers === true
    save()
    return { status: 200, body: { executions: state.executions } }
  }

  function answer(request: IncomingMessage, body: string): Answer {
    const wrong = wrongWith(request, body)
    if (wrong) return refuse(401, wrong)
    const path = (request.url ?? '').split('?')[0] ?? ''
    const route = `${request.method} ${path}`
    if (route === 'GET /v1/endpoints') return list()
    if (route === 'POST /v1/actions') {
      return order(json(body), String(request.headers['idempotency-key'] ?? ''))
    }
    if (route === 'POST /v1/stage') return stage((json(body) ?? {}) as Stage)
    const [, id] = /^GET \/v1\/actions\/([^/]+)$/.exec(route) ?? []
    return id ? outcome(decodeURIComponent(id)) : refuse(404, 'no_such_route')
  }

  /** Whoever asks gets to read what went wrong: a name that cannot be read, a state that is not saved. */
  function answerAnyhow(request: IncomingMessage, body: string): Answer {
    try {
      return answer(request, body)
    } catch (error) {
      if (error instanceof URIError) return refuse(404, 'no_such_route')
      process.stderr.write(`edr: ${(error as Error).stack}\n`)
      return refuse(500, 'internal_error')
    }
  }

  const server = createServer({ keepAliveTimeout: KEPT_MS }, async (request, reply) => {
    const body = await text(request).catch(() => '')
    const { status, body: content } = answerAnyhow(request, body)
    if (isLosingAnswers && request.url === '/v1/actions') return
    reply.writeHead(status, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(content))
  })
  server.listen(config.port, config.host)
  await once(server, 'listening')
  const { address, port } = server.address() as AddressInfo
  return {
    banner: [
      `edr       http://${address}:${port} (reference, ${state.endpoints.length} endpoints)`,
    ],
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const refuse = (status: number, error: string): Answer => ({ status, body: { error } })

function json(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
