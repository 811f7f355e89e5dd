import type { Http } from '@manara/kit/http'
import {
  DetectionMetrics,
  DetectionRule,
  RuleCreate,
  RuleListQuery,
  RuleParams,
  RuleRun,
  RuleUpdate,
  RunListQuery,
  RunRequest,
  RunResponse,
} from '@manara/soc-contract/detections'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import type { Changes } from '../../../core/change/operator-change.ts'
import { principalOf } from '../../../core/identity/caller.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import { requires } from '../../../http/permissions.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { showOne } from '../../../showcase/query.ts'
import type { EventOfAlert } from '../feedback/give-feedback.ts'
import { type RunDeps, runRule } from '../runs/run-rule.ts'
import { listRuns } from '../runs/runs.store.ts'
import type { IsFieldMissing, MissingFields } from './check-rule.ts'
import { createRule } from './create-rule.ts'
import { deleteRule } from './delete-rule.ts'
import { listRules } from './list-rules.ts'
import { readMetrics } from './read-metrics.ts'
import { ruleById } from './rules.store.ts'
import { showMetrics, showNone, showRules } from './show-rules.ts'
import { updateRule } from './update-rule.ts'

export type DetectionDeps = RunDeps & {
  isFieldMissing: IsFieldMissing
  missingFields: MissingFields
  eventOfAlert: EventOfAlert
  /** As `GET /siem/logs` shows it. */
  showLog(log: StoredLog): RunResponse['logs'][number]
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['detections']

export function detectionRoutes(http: Http, deps: DetectionDeps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    '/detections/rules',
    {
      ...requires('detections:read'),
      schema: {
        tags,
        summary: 'List the rules that are shared with the caller',
        querystring: RuleListQuery,
        response: { 200: listOf(DetectionRule) },
      },
    },
    (request) =>
      readThrough(
        () => listRules(db, request.query, principalOf(request)),
        ({ rules }) => showRules(rules, request.query),
      ),
  )

  http.post(
    '/detections/rules',
    {
      ...requires('detections:write'),
      schema: {
        tags,
        summary: 'Create a rule',
        description:
          'A query that cannot be read is 400 with the column, an unknown ATT&CK technique is 400 naming it. Placeholders that no event is known to have are kept and told in `warnings`.',
        body: RuleCreate,
        response: { 201: DetectionRule },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => createRule(deps, change, request.body)),
  )

  http.get(
    '/detections/rules/:rule_id',
    {
      ...requires('detections:read'),
      schema: { tags, summary: 'One rule', params: RuleParams, response: { 200: DetectionRule } },
    },
    (request) =>
      readThrough(
        () => ruleById(db, request.params.rule_id, principalOf(request)),
        ({ rules }) => showOne('rule', rules, request.params.rule_id),
      ),
  )

  http.patch(
    '/detections/rules/:rule_id',
    {
      ...requires('detections:write'),
      schema: {
        tags,
        summary: 'Change a rule; 409 when `version` is stale',
        params: RuleParams,
        body: RuleUpdate,
        response: { 200: DetectionRule },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateRule(deps, change, request.params.rule_id, request.body),
      ),
  )

  http.delete(
    '/detections/rules/:rule_id',
    {
      ...requires('detections:write'),
      schema: {
        tags,
        summary: 'Delete a rule with its runs, suppressions and feedback; its alerts stay',
        params: RuleParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => deleteRule(change, request.params.rule_id)),
  )

  http.post(
    '/detections/rules/:rule_id/run',
    {
      ...requires('detections:read', 'siem:search'),
      schema: {
        tags,
        summary: 'Run a rule now',
        description:
          'Over what arrived in the last 24 hours or, with a body, over events of that time. Alerts are raised for events that have not raised one yet. In dry_run this counts as an internal pipeline: the run, its alerts and its cases are stored.',
        params: RuleParams,
        body: RunRequest.nullish(),
        response: { 200: RunResponse },
      },
    },
    async (request) => {
      const { rule_id } = request.params
      const run = await runRule(deps, rule_id, principalOf(request), request.body ?? {})
      return { ...run, logs: run.logs.map(deps.showLog) }
    },
  )

  http.get(
    '/detections/rules/:rule_id/runs',
    {
      ...requires('detections:read'),
      schema: {
        tags,
        summary: 'Runs of a rule, newest first',
        params: RuleParams,
        querystring: RunListQuery,
        response: { 200: listOf(RuleRun) },
      },
    },
    (request) =>
      readThrough(
        async () => {
          const { id } = await ruleById(db, request.params.rule_id, principalOf(request))
          return listRuns(db, id, request.query)
        },
        ({ rules }) => showNone(rules, request.params.rule_id, request.query),
      ),
  )

  http.get(
    '/detections/metrics',
    {
      ...requires('detections:read'),
      schema: {
        tags,
        summary: 'The last 24 hours of the rules that are shared with the caller',
        response: { 200: DetectionMetrics },
      },
    },
    (request) =>
      readThrough(
        () => readMetrics(db, principalOf(request), deps.now()),
        ({ rules }) => showMetrics(rules),
      ),
  )
}
