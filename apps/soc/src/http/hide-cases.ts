import { notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { FastifyRequest } from 'fastify'
import { hiding, isHidden } from '../core/access/reader.ts'
import { sessionOf } from '../core/identity/caller.ts'
import type { Principal } from '../core/identity/principal.ts'
import { accessOf } from './permissions.ts'

export type HideCases = (principal: Principal) => Promise<ReadonlySet<string>>

/**
 * Before every handler: what the caller may not read is not there for them. A case that the path,
 * the query or the body names is looked at here, so that no route can forget it.
 */
export function hideCases(http: Http, hiddenFrom: HideCases) {
  const found = new WeakMap<FastifyRequest, ReadonlySet<string>>()
  http.addHook('preHandler', async (request) => {
    const session = sessionOf(request)
    if (!session || readsNothing(request)) return
    found.set(request, await hiddenFrom(session.principal))
  })
  http.addHook('preHandler', (request, _reply, done) => {
    const cases = found.get(request)
    if (!cases) return done()
    hiding(cases, () => {
      const named = namedCases(request).find((id) => isHidden(id.toLowerCase()))
      done(named === undefined ? undefined : notFound('case', named))
    })
  })
}

/** What only takes logs. */
function readsNothing({ routeOptions }: FastifyRequest): boolean {
  const access = accessOf(routeOptions.config)
  return access?.kind === 'permissions' && access.permissions.every((one) => one === 'siem:ingest')
}

// What a proposal does and cites. A filter, and the arguments of a tool, are looked at where they are
// used: there an unknown case is no 404, and a hidden one must not be either.
const NAMING = ['action', 'cites']

function namedCases({ params, query, body }: FastifyRequest): string[] {
  const inside = NAMING.map((name) => fieldsOf(body)[name])
  return [params, query, body, ...inside].flatMap((part) => {
    const { case_id, case_ids } = fieldsOf(part)
    return [case_id, case_ids].flat().filter((id) => typeof id === 'string')
  })
}

const fieldsOf = (part: unknown): Record<string, unknown> =>
  typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {}
