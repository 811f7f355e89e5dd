import type { Http } from '@manara/kit/http'
import {
  Correlation,
  CorrelationList,
  CorrelationListQuery,
  CorrelationParams,
  CorrelationPreview,
  CorrelationPreviewResult,
  CorrelationRule,
  CorrelationRuleCreate,
  CorrelationRuleListQuery,
  CorrelationRuleUpdate,
} from '@manara/soc-contract/correlations'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import type { InTurn } from '../../http/in-turn.ts'
import { requires } from '../../http/permissions.ts'
import { showOne } from '../../showcase/query.ts'
import { correlationById, listCorrelations } from './correlations.store.ts'
import { previewRule } from './preview-rule.ts'
import { createRule, deleteRule, listRules, ruleById, updateRule } from './rules.store.ts'
import { showCorrelations } from './show-correlations.ts'

export type CorrelationDeps = {
  db: Kysely<Tables>
  previewsInTurn: InTurn
  now(): number
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['correlations']

export function correlationRoutes(http: Http, deps: CorrelationDeps) {
  const { db, readThrough } = deps

  http.get(
    '/correlations',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'List correlations',
        description:
          'Signals of computers and of devices that belong together by site, zone or host and time; each names its evidence and says why. Newest first.',
        querystring: CorrelationListQuery,
        response: { 200: CorrelationList },
      },
    },
    ({ query }) =>
      readThrough(
        () => listCorrelations(db, query),
        ({ correlations }) => showCorrelations(correlations, query),
      ),
  )

  ruleRoutes(http, deps)

  http.get(
    '/correlations/:id',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'One correlation',
        params: CorrelationParams,
        response: { 200: Correlation },
      },
    },
    ({ params }) =>
      readThrough(
        () => correlationById(db, params.id),
        ({ correlations }) => showOne('correlation', correlations, params.id),
      ),
  )
}

function ruleRoutes(http: Http, deps: CorrelationDeps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    '/correlations/rules',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'Rules by which signals are joined',
        querystring: CorrelationRuleListQuery,
        response: { 200: listOf(CorrelationRule) },
      },
    },
    ({ query }) => readThrough(() => listRules(db, query)),
  )

  http.post(
    '/correlations/rules',
    {
      ...requires('detections:write', 'cps:read'),
      schema: {
        tags,
        summary: 'Add a rule',
        body: CorrelationRuleCreate,
        response: { 201: CorrelationRule },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => createRule(change, request.body)),
  )

  http.post(
    '/correlations/rules/preview',
    {
      ...requires('cps:read', 'alerts:read'),
      schema: {
        tags,
        summary: 'What a rule would have found',
        description:
          'A draft or a stored rule over the signals of up to 90 past days, by default the last 7. Nothing is stored.',
        body: CorrelationPreview,
        response: { 200: CorrelationPreviewResult },
      },
    },
    ({ body }, reply) =>
      deps.previewsInTurn(reply, (signal) =>
        readThrough(() => previewRule(db, body, { now: deps.now, signal })),
      ),
  )

  http.get(
    '/correlations/rules/:id',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'One rule',
        params: CorrelationParams,
        response: { 200: CorrelationRule },
      },
    },
    ({ params }) => readThrough(() => ruleById(db, params.id)),
  )

  http.patch(
    '/correlations/rules/:id',
    {
      ...requires('detections:write', 'cps:read'),
      schema: {
        tags,
        summary: 'Change a rule, or switch it off',
        params: CorrelationParams,
        body: CorrelationRuleUpdate,
        response: { 200: CorrelationRule },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateRule(change, request.params.id, request.body),
      ),
  )

  http.delete(
    '/correlations/rules/:id',
    {
      ...requires('detections:write', 'cps:read'),
      schema: {
        tags,
        summary: 'Delete a rule; what it has found stays',
        params: CorrelationParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => deleteRule(change, request.params.id)),
  )
}
