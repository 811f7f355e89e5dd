import { AppError, invalid } from '@manara/kit/errors'
import { isTooDeep } from '@manara/kit/is-too-deep'
import { jsonIn } from '@manara/kit/json-in'
import { filledText, text } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

// Of the connection, not of the caller.
const RESERVED = /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer)$/i

const Params = z.strictObject({
  url: filledText(2_048).refine(
    (url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''),
    'must be an http or https URL',
  ),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
  headers: z
    .record(
      z.string().regex(/^[\w-]{1,100}$/, 'must be a header name'),
      text(4_096).regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'),
    )
    .refine((headers) => !Object.keys(headers).some((name) => RESERVED.test(name)), {
      message: 'must not name a header of the connection itself',
    })
    .default({}),
  /** Text is sent as it is, anything else as JSON. */
  body: z.unknown().optional(),
})
type Params = z.infer<typeof Params>

/** A gateway's own: it does not know what became of the call that it passed on. */
const FROM_BETWEEN = new Set([502, 504])

/** Any other answer outside 200–299 says that it was not done. */
export function httpWebhook(functions: Pick<ActionFunctions, 'callWebhook'>): Action {
  return {
    effect: 'acts',
    params: Params,
    secretParams: ['url', 'headers', 'body'],
    async run({ url, method, headers, body }: Params, { signal, idempotencyKey }) {
      if (method === 'GET' && body !== undefined) throw invalid('params.body', 'GET has none')
      const isText = typeof body === 'string'
      const answer = await functions.callWebhook(
        {
          url,
          method,
          headers: {
            'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
            'idempotency-key': idempotencyKey,
            ...headers,
          },
          body: body === undefined ? null : isText ? body : JSON.stringify(body),
        },
        signal,
      )
      if (answer.status < 200 || answer.status > 299) {
        const message = `${new URL(url).host} answered ${answer.status}`
        throw FROM_BETWEEN.has(answer.status) ? new Error(message) : new AppError(502, message)
      }
      return { status: answer.status, body: parsed(answer.body) }
    },
    undo: null,
    simulate: ({ url, method }: Params) => ({ status: 200, body: null, url, method }),
  }
}

function parsed(body: string): unknown {
  const json = jsonIn(body)
  return json === undefined || isTooDeep(json) ? body : json
}
