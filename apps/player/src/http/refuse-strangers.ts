import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { OriginCheck } from './origin-check.ts'

/** First of all checks: what a page elsewhere sends must not use up the budget of the person who reads it. */
export function refuseStrangers(http: Http, originProblem: OriginCheck) {
  http.addHook('onRequest', async (request, reply) => {
    // Also what is answered is not for pages elsewhere, as an image or a script.
    reply.header('cross-origin-resource-policy', 'same-origin')
    const problem = originProblem(request.headers)
    if (problem) throw new AppError(403, problem)
  })
}
