import type { Http } from '@manara/kit/http'
import { RuleParams } from '@manara/soc-contract/detections'
import { listOf } from '@manara/soc-contract/lists'
import {
  Suppression,
  SuppressionCreate,
  SuppressionListQuery,
  SuppressionParams,
  SuppressionUpdate,
} from '@manara/soc-contract/suppressions'
import { Deleted } from '@manara/soc-contract/users'
import { principalOf } from '../../../core/identity/caller.ts'
import { requires } from '../../../http/permissions.ts'
import type { DetectionDeps } from '../rules/rules.routes.ts'
import { ruleById } from '../rules/rules.store.ts'
import { showNone } from '../rules/show-rules.ts'
import { createSuppression, deleteSuppression, updateSuppression } from './change-suppressions.ts'
import { listSuppressions, suppressionById, toSuppression } from './suppressions.store.ts'

const tags = ['detections']
const PATH = '/detections/rules/:rule_id/suppressions'

type Deps = Pick<DetectionDeps, 'db' | 'now' | 'operatorChange' | 'readThrough'>

export function suppressionRoutes(http: Http, deps: Deps) {
  const { db, now, operatorChange, readThrough } = deps

  http.get(
    PATH,
    {
      ...requires('detections:read'),
      schema: {
        tags,
        summary: 'Suppressions of a rule, newest first',
        params: RuleParams,
        querystring: SuppressionListQuery,
        response: { 200: listOf(Suppression) },
      },
    },
    (request) =>
      readThrough(
        async () => {
          const { id } = await ruleById(db, request.params.rule_id, principalOf(request))
          return listSuppressions(db, id, request.query, now())
        },
        ({ rules }) => showNone(rules, request.params.rule_id, request.query),
      ),
  )

  http.post(
    PATH,
    {
      ...requires('detections:write'),
      schema: {
        tags,
        summary: 'Hold back what matches all criteria, for some hours',
        description:
          'Criteria name fields. A value is equal without regard to case, with `*` and `?` as wildcards; a network such as `10.0.0.0/8` holds its addresses; of a list one value is enough.',
        params: RuleParams,
        body: SuppressionCreate,
        response: { 201: Suppression },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        createSuppression(change, request.params.rule_id, request.body, now()),
      ),
  )

  http.get(
    `${PATH}/:suppression_id`,
    {
      ...requires('detections:write'),
      schema: {
        tags,
        summary: 'One suppression',
        params: SuppressionParams,
        response: { 200: Suppression },
      },
    },
    (request) =>
      readThrough(async () => {
        const { id } = await ruleById(db, request.params.rule_id, principalOf(request))
        return toSuppression(await suppressionById(db, id, request.params.suppression_id), now())
      }),
  )

  http.patch(
    `${PATH}/:suppression_id`,
    {
      ...requires('detections:write'),
      schema: {
        tags,
        summary: 'Change a suppression; `suppress_for_hours` counts from now',
        params: SuppressionParams,
        body: SuppressionUpdate,
        response: { 200: Suppression },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateSuppression(change, request.params, request.body, now()),
      ),
  )

  http.delete(
    `${PATH}/:suppression_id`,
    {
      ...requires('detections:write'),
      schema: {
        tags,
        summary: 'End a suppression',
        params: SuppressionParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => deleteSuppression(change, request.params)),
  )
}
