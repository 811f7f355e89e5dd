import type { Http } from '@manara/kit/http'
import {
  Investigation,
  InvestigationListQuery,
  InvestigationParams,
  InvestigationRequest,
  InvestigationSummary,
} from '@manara/soc-contract/investigation'
import { listOf } from '@manara/soc-contract/lists'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { principalOf } from '../../../core/identity/caller.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import { pageOf } from '../../../showcase/query.ts'
import { listInvestigations } from './records/investigations.store.ts'
import type { createInvestigations } from './records/investigations.ts'

export type InvestigationDeps = {
  db: Kysely<Tables>
  investigations: ReturnType<typeof createInvestigations>
  limitInvestigate(request: FastifyRequest): Promise<void>
  /** How long the caller is kept waiting for the answer itself. */
  patienceMs: number
} & Reads

const tags = ['agents']

export function investigationRoutes(http: Http, deps: InvestigationDeps) {
  const { db, investigations, readThrough } = deps
  const { onRequest, config } = requires('investigation:trigger')

  http.post(
    '/agents/investigate',
    {
      onRequest: [onRequest, deps.limitInvestigate],
      config,
      schema: {
        tags,
        summary: 'Investigate what happened around an alert, an event or an indicator',
        description:
          'Over stored data and without a model. 200 with the answer, or 202 with its id when it takes longer than 8 seconds: it goes on, its progress is in the live events.',
        body: InvestigationRequest,
        response: { 200: Investigation, 202: Investigation },
      },
    },
    async (request, reply) => {
      const { id, ended } = await investigations.start(request.body, principalOf(request))
      await within(deps.patienceMs, ended)
      const investigation = await investigations.read(id)
      return reply.code(investigation.status === 'running' ? 202 : 200).send(investigation)
    },
  )

  http.get(
    '/agents/investigations',
    {
      ...requires('investigation:trigger'),
      schema: {
        tags,
        summary: 'Investigations, newest first',
        querystring: InvestigationListQuery,
        response: { 200: listOf(InvestigationSummary) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listInvestigations(db, query),
        () => pageOf<InvestigationSummary>([], query),
      ),
  )

  http.get(
    '/agents/investigations/:investigation_id',
    {
      ...requires('investigation:trigger'),
      schema: {
        tags,
        summary: 'One investigation with all that was found',
        params: InvestigationParams,
        response: { 200: Investigation },
      },
    },
    ({ params }) => readThrough(() => investigations.read(params.investigation_id)),
  )

  http.delete(
    '/agents/investigations/:investigation_id',
    {
      ...requires('investigation:trigger'),
      schema: {
        tags,
        summary: 'Cancel an investigation that runs',
        description: 'Stops its queries. The record stays. 409 when it has ended already.',
        params: InvestigationParams,
        response: { 200: Investigation },
      },
    },
    (request) => investigations.cancel(request.params.investigation_id, principalOf(request)),
  )
}

/** Whichever comes first; what goes on is not disturbed. */
async function within(ms: number, ended: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([ended, promise])
  clearTimeout(timer)
}
