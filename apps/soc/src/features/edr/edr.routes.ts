import type { Http } from '@manara/kit/http'
import {
  EdrStats,
  Endpoint,
  EndpointAction,
  EndpointActionListQuery,
  EndpointActionParams,
  EndpointActionRequest,
  type EndpointCommand,
  EndpointListQuery,
  EndpointParams,
  EndpointUpdate,
} from '@manara/soc-contract/edr'
import { listOf } from '@manara/soc-contract/lists'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import { sendAsPreview } from '../../core/change/preview.ts'
import { principalOf } from '../../core/identity/caller.ts'
import type { Mode } from '../../core/mode/mode.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { showOne } from '../../showcase/query.ts'
import { actionById, endpointById } from './edr.store.ts'
import { type AdapterState, countEndpoints, edrStats } from './edr-stats.ts'
import { listActions } from './list-actions.ts'
import { listEndpoints } from './list-endpoints.ts'
import { placeEndpoint } from './place-endpoint.ts'
import type { ActionRequest, Requested } from './request-action.ts'
import { showEndpoints, shownEndpoints } from './show-endpoints.ts'

export type EdrDeps = {
  db: Kysely<Tables>
  mode: Mode
  adapterState(): AdapterState
  requestAction(change: ChangeContext, request: ActionRequest): Promise<Requested>
  /** After a commit: there is something to send. */
  wakeDelivery(): void
  /** Rejects with 404 when there is no such site; it stays while the transaction lasts. */
  holdSite(tx: Kysely<Tables>, siteId: string): Promise<unknown>
} & Changes &
  Reads

const tags = ['edr']

const COMMANDS: { command: EndpointCommand; summary: string }[] = [
  { command: 'isolate', summary: 'Cut an endpoint off the network' },
  { command: 'unisolate', summary: 'Let an isolated endpoint back' },
  { command: 'scan', summary: 'Scan an endpoint' },
]

export function edrRoutes(http: Http, deps: EdrDeps) {
  const { db, readThrough } = deps

  http.get(
    '/edr/endpoints',
    {
      ...requires('edr:read'),
      schema: {
        tags,
        summary: 'List endpoints',
        description:
          'Reported by the EDR, or learnt from the logs (`status` is then `unknown`). Last seen first.',
        querystring: EndpointListQuery,
        response: { 200: listOf(Endpoint) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listEndpoints(db, query),
        (showcase) => showEndpoints(shownEndpoints(showcase), query),
      ),
  )

  http.get(
    '/edr/endpoints/:id',
    {
      ...requires('edr:read'),
      schema: {
        tags,
        summary: 'One endpoint',
        params: EndpointParams,
        response: { 200: Endpoint },
      },
    },
    ({ params }) =>
      readThrough(
        () => endpointById(db, params.id),
        (showcase) => showOne('endpoint', shownEndpoints(showcase), params.id),
      ),
  )

  http.get(
    '/edr/endpoints/:id/actions',
    {
      ...requires('edr:read'),
      schema: {
        tags,
        summary: 'Receipts of one endpoint',
        params: EndpointParams,
        querystring: EndpointActionListQuery.omit({ endpoint_id: true }),
        response: { 200: listOf(EndpointAction) },
      },
    },
    ({ params, query }) =>
      readThrough(async () => {
        const { id } = await endpointById(db, params.id)
        return listActions(db, { ...query, endpoint_id: id })
      }),
  )

  http.get(
    '/edr/actions',
    {
      ...requires('edr:read'),
      schema: {
        tags,
        summary: 'Receipts of what was asked of endpoints',
        querystring: EndpointActionListQuery,
        response: { 200: listOf(EndpointAction) },
      },
    },
    ({ query }) => readThrough(() => listActions(db, query)),
  )

  http.get(
    '/edr/actions/:action_id',
    {
      ...requires('edr:read'),
      schema: {
        tags,
        summary: 'One receipt',
        params: EndpointActionParams,
        response: { 200: EndpointAction },
      },
    },
    ({ params }) => readThrough(() => actionById(db, params.action_id)),
  )

  http.get(
    '/edr/stats',
    {
      ...requires('edr:read'),
      schema: { tags, summary: 'Endpoints and receipts in numbers', response: { 200: EdrStats } },
    },
    () =>
      readThrough(
        () => edrStats(db, deps.adapterState()),
        (showcase) => countEndpoints(shownEndpoints(showcase), deps.adapterState()),
      ),
  )

  http.patch(
    '/edr/endpoints/:id',
    {
      ...requires('sites:manage'),
      schema: {
        tags,
        summary: 'Say at which site an endpoint stands',
        params: EndpointParams,
        body: EndpointUpdate,
        response: { 200: Endpoint },
      },
    },
    (request, reply) =>
      deps.operatorChange(request, reply, 200, (change) =>
        placeEndpoint(change, request.params.id, request.body.site_id, deps.holdSite),
      ),
  )

  for (const { command, summary } of COMMANDS) {
    http.post(
      `/edr/endpoints/:id/${command}`,
      {
        ...requires('edr:manage'),
        schema: {
          tags,
          summary,
          description:
            'Answers with a receipt, 201 for a new one and 200 for one that already stands for this. It is delivered when the endpoint is online.',
          params: EndpointParams,
          body: EndpointActionRequest.nullish(),
          response: { 200: EndpointAction, 201: EndpointAction },
        },
      },
      (request, reply) =>
        answerCommand(deps, request, reply, {
          endpoint: request.params.id,
          command,
          reason: request.body?.reason,
          evenIfCollector: request.body?.even_if_collector,
        }),
    )
  }
}

/** A simulated receipt is a record of its own: in `dry_run` it is kept, though nothing else is. */
async function answerCommand(
  deps: EdrDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ActionRequest,
): Promise<EndpointAction> {
  if (deps.mode.operatorChanges === 'previewed') {
    const simulate = (change: ChangeContext) => deps.requestAction(change, asked)
    const { action } = await deps.internalWorkflow(simulate, principalOf(request))
    sendAsPreview(reply)
    return action
  }
  const action = await deps.operatorChange(request, reply, 201, async (change) => {
    const requested = await deps.requestAction(change, asked)
    if (!requested.isNew) reply.code(200)
    return requested.action
  })
  deps.wakeDelivery()
  return action
}
