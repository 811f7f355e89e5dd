import { invalid } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'

/** Also where a route needs none: whatever is sent as a body is an object. */
export function requireObjectBody(http: Http) {
  http.addHook('preValidation', async ({ body }) => {
    if (body === undefined) return
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalid('body', 'must be an object')
    }
  })
}
