import { notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { FastifyRequest } from 'fastify'
import { hiding } from '../core/access/reader.ts'
import { sessionOf } from '../core/identity/caller.ts'
import type { Principal } from '../core/identity/principal.ts'
import { accessOf } from './permissions.ts'

export type CaseReading = {
  /** The cases that the caller may not read. */
  hiddenFrom(principal: Principal): Promise<ReadonlySet<string>>
  /** One of these ids that is no case, if there is one. */
  findUnknown(ids: string[]): Promise<string | undefined>
}

/**
 * Before every handler: what the caller may not read is not there for them. A case that the path or
 * the body names is looked at here, so that no route can forget it; and one that never was, so that
 * none tells them apart.
 */
export function hideCases(http: Http, { hiddenFrom, findUnknown }: CaseReading) {
  const found = new WeakMap<FastifyRequest, ReadonlySet<string>>()
  http.addHook('preHandler', async (request) => {
    const session = sessionOf(request)
    if (!session || readsNothing(request)) return
    const hidden = await hiddenFrom(session.principal)
    found.set(request, hidden)
    const inBody = bodyCases(request)
    const missing =
      [...casesOf(request.params), ...inBody].find((id) => hidden.has(id.toLowerCase())) ??
      (inBody.length > 0 ? await findUnknown(inBody) : undefined)
    if (missing !== undefined) throw notFound('case', missing)
  })
  http.addHook('preHandler', (request, _reply, done) => {
    const cases = found.get(request)
    if (!cases) return done()
    hiding(cases, done)
  })
}

/** What only takes logs. */
function readsNothing({ routeOptions }: FastifyRequest): boolean {
  const access = accessOf(routeOptions.config)
  return access?.kind === 'permissions' && access.permissions.every((one) => one === 'siem:ingest')
}

// What a proposal does and cites. A filter, in a query or a body, and the arguments of a tool are
// looked at where they are used: there an unknown case is no 404, and a hidden one must not be either.
const NAMING = ['action', 'cites']

const bodyCases = ({ body }: FastifyRequest): string[] =>
  [body, ...NAMING.map((name) => fieldsOf(body)[name])].flatMap(casesOf)

function casesOf(part: unknown): string[] {
  const { case_id, case_ids } = fieldsOf(part)
  return [case_id, case_ids].flat().filter((id) => typeof id === 'string')
}

const fieldsOf = (part: unknown): Record<string, unknown> =>
  typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {}
