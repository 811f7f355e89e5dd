import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ServerOptions as TlsOptions } from 'node:https'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { describeError } from './error-body.ts'
import { AppError, invalid } from './errors.ts'
import { refuseHttp } from './hang-up.ts'
import { jsonIn } from './json-in.ts'

export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

export type HttpOptions = {
  /** The shape of an error body is the only thing the services differ in. */
  envelope: (message: string) => object
  bodyLimit: number
  /** Gives meaning to errors of engines, for instance a lost database; the rest it returns as is. */
  translate?: (error: unknown) => unknown
  logger?: FastifyBaseLogger
  tls?: Pick<TlsOptions, 'key' | 'cert'> | undefined
  /** Whether, or from which addresses and networks, `X-Forwarded-For` is believed. */
  trustProxy?: boolean | string[]
}

const CUT_OFF = invalid('body', 'ended before it was complete')

/** Long enough for an update over a slow network; without it a body that never ends is waited for. */
const REQUEST_MS = 60 * 60_000

/** Node would answer what it refuses itself with nothing but a status. */
const UNREFUSED = { requireHostHeader: false }

/** One server: schemas checked without coercion, and one place where errors become bodies. */
export function createHttp(options: HttpOptions): Http {
  const { envelope, logger, tls } = options
  const http = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    ...(tls ? { https: { ...tls, ...UNREFUSED } } : { http: UNREFUSED }),
    bodyLimit: options.bodyLimit,
    requestTimeout: REQUEST_MS,
    // A start that takes long on a slow card, or of a machine that slept, is no failed one.
    pluginTimeout: 0,
    // Ids and names that others gave, percent-encoded: the router's 100 would be too few.
    routerOptions: { maxParamLength: 4_096 },
    trustProxy: options.trustProxy ?? false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    logController: new LogController({ disableRequestLogging: true }),
    // Given here, so that Fastify does not load Ajv and its serialiser beside them.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
    // Shutdown finishes what has begun, also on connections that are kept alive.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, _request, reply) => answer(reply as FastifyReply, error),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
      return error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? refuseHttp(socket, '408 Request Timeout', envelope('request: did not arrive in time'))
        : refuseHttp(socket, '400 Bad Request', envelope('request: is not valid HTTP'))
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as Http

  function answer(reply: FastifyReply, thrown: unknown) {
    const { raw } = reply.request
    // Who goes in the middle of a body is told nothing, and no engine is away because of that.
    const isCutOff = raw.destroyed && !raw.complete
    const error = isCutOff ? CUT_OFF : (options.translate?.(thrown) ?? thrown)
    const { status, message, retryAfter } = describeError(error)
    if (error instanceof AppError) {
      // Known and told to the caller: a line will do, also when an outage makes a thousand of them.
      if (status >= 500) reply.log.warn({ status }, message)
    } else if (status >= 500) {
      reply.log.error({ err: error }, 'request failed')
    }
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    // Fastify closes the connection under a body that is too large: who is still sending it would meet
    // that instead of the answer. What comes is thrown away, as of every request that is refused early.
    reply.removeHeader('connection')
    return reply.code(status).type('application/json').send(envelope(message))
  }

  http.setErrorHandler((error, _request, reply) => answer(reply as FastifyReply, error))
  http.setNotFoundHandler((request, reply) =>
    reply.code(404).send(envelope(`no route ${request.method} ${request.url.split('?')[0]}`)),
  )
  // What a request expects and nobody knows is refused by the hook below.
  http.server.on('checkExpectation', (...asked) => http.server.emit('request', ...asked))
  http.addHook('onRequest', async ({ raw }) => refuseHead(raw))
  http.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
  })
  http.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      { method: request.method, url: request.url, status: reply.statusCode, ms: reply.elapsedTime },
      'request',
    )
  })
  acceptEmptyBodies(http)
  return http
}

function refuseHead({ httpVersion, headers }: IncomingMessage) {
  if (httpVersion !== '1.1') return
  if (headers.host === undefined) throw invalid('host', 'is required')
  if (headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect)) {
    throw invalid('expect', 'only 100-continue is understood')
  }
}

/**
 * For replies that were made field by field: they are written as they are. Else each is checked
 * against its schema once more, which takes longer than writing it where a page has many records.
 */
export const writtenAsMade = {
  serializerCompiler: () => (made: unknown) => JSON.stringify(made),
}

/** `curl -X POST` sends no body or an empty one, with any content type: routes decide if that will do. */
function acceptEmptyBodies(http: Http) {
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser(['application/json', 'text/plain'])
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 || request.is404) return done(null, undefined)
    const problem = packed(request.headers) ?? notUtf8(request.headers, body as Buffer)
    if (problem) return done(problem, undefined)
    const text = body.toString()
    return parseJson(request, text, (error, made) =>
      done(error && jsonIn(text) !== undefined ? forbiddenName() : error, made),
    )
  })
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) =>
    body.length === 0 || request.is404
      ? done(null, undefined)
      : done(
          Object.assign(new Error('unsupported'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }),
          undefined,
        ),
  )
}

/** What is JSON and not taken all the same. */
const forbiddenName = () =>
  invalid(
    'body',
    'holds the name __proto__ or constructor.prototype, which is not taken: rename it',
  )

function packed(headers: IncomingHttpHeaders): AppError | undefined {
  const { 'content-encoding': encoding = 'identity' } = headers
  return encoding.toLowerCase() === 'identity'
    ? undefined
    : invalid('content-encoding', `${encoding} is not understood here: send the body as it is`)
}

/** Texts in another encoding would be stored as something else than was sent. */
function notUtf8(headers: IncomingHttpHeaders, body: Buffer): AppError | undefined {
  const { 'content-type': type = '' } = headers
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1]
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    return invalid('content-type', `charset ${charset} is not understood: send UTF-8`)
  }
  return isUtf8(body) ? undefined : invalid('body', 'is not valid UTF-8')
}

/** A caller's own id is kept when it is harmless in a header and in a log line. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}

/** Finishes the requests under way, at most for `graceMs`, then closes what is left. */
export async function closeHttp(http: Http, graceMs: number): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), graceMs)
  try {
    await http.close()
  } finally {
    clearTimeout(timer)
  }
}
