import { randomUUID } from 'node:crypto'
import { timeLimit } from '@manara/kit/after-steps'
import { jsonIn } from '@manara/kit/json-in'
import { EdrEndpointPage, EdrOutcome } from '@manara/soc-contract/edr-api'
import { storable } from '@manara/soc-contract/storable'
import type { ActionOrder, ActionOutcome, EdrClient } from '../ports/edr-client.ts'
import { bodyHash, SIGNATURE_HEADERS, signatureOf } from './edr-signature.ts'

export type HttpEdrOptions = {
  url: string
  /** Asked for each request: it may be given another value. */
  secret(): Promise<string>
  timeoutMs?: number
  /** Aborted when the service ends: nobody waits for an answer then. */
  signal?: AbortSignal
  now?: () => number
}

// Many times what an order is answered with, and the machines of a large house at 500 bytes each.
const ANSWER_BYTES = 64 * 1024
const INVENTORY_BYTES = 64 * 1024 * 1024
const MOST_PAGES = 1_000

/** The small API of docs/edr.md: every request signed anew, every order under its own key. */
export function createHttpEdr(options: HttpEdrOptions): EdrClient {
  const { timeoutMs = 4_000, now = Date.now, signal } = options
  const base = new URL(options.url)
  const root = base.pathname.replace(/\/$/, '')

  async function send(
    method: string,
    route: string,
    { order, most = ANSWER_BYTES }: { order?: { key: string; body: object }; most?: number } = {},
  ) {
    const path = root + route
    const body = order ? JSON.stringify(order.body) : ''
    const timestamp = String(Math.floor(now() / 1_000))
    const nonce = randomUUID()
    const secret = await options.secret()
    using limit = timeLimit(timeoutMs)
    const { signal: late } = limit
    const why = (error: unknown) => {
      if (!late.aborted) return new Error(`the EDR cannot be reached: ${causeOf(error)}`)
      return new Error(`the EDR did not answer within ${timeoutMs / 1_000} s`)
    }
    const reply = await fetch(new URL(path, base), {
      method,
      redirect: 'error',
      signal: AbortSignal.any([late, ...(signal ? [signal] : [])]),
      headers: {
        [SIGNATURE_HEADERS.timestamp]: timestamp,
        [SIGNATURE_HEADERS.nonce]: nonce,
        [SIGNATURE_HEADERS.bodyHash]: bodyHash(body),
        [SIGNATURE_HEADERS.signature]: signatureOf(secret, {
          method,
          path,
          timestamp,
          nonce,
          body,
        }),
        ...(order ? { 'content-type': 'application/json', 'idempotency-key': order.key } : {}),
      },
      ...(order ? { body } : {}),
    }).catch((error) => Promise.reject(why(error)))
    const answer = await readUpTo(most, reply).catch((error) => Promise.reject(why(error)))
    if (answer === undefined && reply.ok) throw new Error(`the EDR's answer has over ${most} bytes`)
    const said = jsonIn(answer)
    if (said === undefined && reply.ok) {
      const [type] = (reply.headers.get('content-type') ?? '').split(';')
      throw new Error(`the EDR's answer is no JSON (${type || 'of no type'}): check EDR_URL`)
    }
    return { status: reply.status, bytes: answer?.length ?? 0, body: said }
  }

  return {
    name: 'http',

    async *endpoints() {
      let query = ''
      let left = INVENTORY_BYTES
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const reply = await send('GET', `/v1/endpoints${query}`, { most: left })
        if (reply.status !== 200) throw unexpected(reply)
        const { endpoints, next_cursor: cursor } = understood(EdrEndpointPage, reply.body)
        yield endpoints
        if (cursor === null) return
        query = `?cursor=${encodeURIComponent(cursor)}`
        left -= reply.bytes
      }
      throw new Error(`the EDR's inventory has no end after ${MOST_PAGES} pages`)
    },

    async act(asked) {
      const { actionId, endpointId, command } = asked
      const body = { action_id: actionId, endpoint_id: endpointId, command }
      const reply = await send('POST', '/v1/actions', {
        order: { key: actionId, body },
      })
      if (reply.status === 409 && errorOf(reply.body) === 'endpoint_offline') {
        return { status: 'offline', detail: 'the EDR says the endpoint is offline' }
      }
      // Those will not become right by asking again: the order itself is refused.
      if ([400, 404, 409, 422].includes(reply.status)) {
        return { status: 'failed', detail: `the EDR refused it: ${errorOf(reply.body)}` }
      }
      if (reply.status !== 200 && reply.status !== 202) throw unexpected(reply)
      return outcomeOf(reply.body, asked)
    },

    async outcome(asked) {
      const reply = await send('GET', `/v1/actions/${encodeURIComponent(asked.actionId)}`)
      if (reply.status === 404) return undefined
      if (reply.status !== 200) throw unexpected(reply)
      return outcomeOf(reply.body, asked)
    },
  }
}

/** What `fetch failed` stands for. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return causeOf(error.cause)
  // Of several addresses that were tried there is only a code.
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}

/** Undefined when there is more than that; the rest is not waited for. */
async function readUpTo(most: number, { body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function outcomeOf(body: unknown, asked: ActionOrder): ActionOutcome {
  const { status, detail, action_id, endpoint_id, command } = understood(EdrOutcome, body)
  const named = [
    ['endpoint', endpoint_id, asked.endpointId],
    ['order', action_id, asked.actionId],
    ['command', command, asked.command],
  ] as const
  for (const [what, said, wanted] of named) {
    if (said === undefined || said === wanted) continue
    const other = storable(said.slice(0, 200))
    throw new Error(
      `the EDR's answer is about the ${what} ${other} instead of ${wanted}: look there what was done`,
    )
  }
  return { status: status === 'accepted' ? 'running' : status, detail }
}

type Schema<T> = {
  safeParse(
    body: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: Issue[] } }
}
type Issue = { path: PropertyKey[]; message: string }

function understood<T>(schema: Schema<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  throw new Error(`the EDR's answer is not understood: ${where}${issue?.message}`)
}

function unexpected({ status, body }: { status: number; body: unknown }) {
  if (status === 401) return new Error('the EDR refuses our signature: check EDR_SECRET and clocks')
  return new Error(`the EDR answered ${status} ${errorOf(body)}`)
}

const errorOf = (body: unknown) => {
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'string' ? storable(error.slice(0, 500)) : ''
}
