import type { Http } from '@manara/kit/http'
import { RuleParams } from '@manara/soc-contract/detections'
import { listOf } from '@manara/soc-contract/lists'
import {
  Feedback,
  FeedbackCreate,
  FeedbackCreated,
  FeedbackListQuery,
} from '@manara/soc-contract/rule-feedback'
import { principalOf } from '../../../core/identity/caller.ts'
import { requires } from '../../../http/permissions.ts'
import type { DetectionDeps } from '../rules/rules.routes.ts'
import { ruleById } from '../rules/rules.store.ts'
import { showNone } from '../rules/show-rules.ts'
import { listFeedback } from './feedback.store.ts'
import { giveFeedback } from './give-feedback.ts'

const tags = ['detections']
const PATH = '/detections/rules/:rule_id/feedback'

type Deps = Pick<DetectionDeps, 'db' | 'logs' | 'eventOfAlert' | 'operatorChange' | 'readThrough'>

export function feedbackRoutes(http: Http, deps: Deps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    PATH,
    {
      ...requires('detections:read'),
      schema: {
        tags,
        summary: 'What analysts said about a rule, newest first',
        params: RuleParams,
        querystring: FeedbackListQuery,
        response: { 200: listOf(Feedback) },
      },
    },
    (request) =>
      readThrough(
        async () => {
          const { id } = await ruleById(db, request.params.rule_id, principalOf(request))
          return listFeedback(db, id, request.query)
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
        summary: 'Say whether a rule was right',
        description:
          'A false positive that names its event or its alert is answered with `suggested_suppression`, ready to be posted as a suppression.',
        params: RuleParams,
        body: FeedbackCreate,
        response: { 201: FeedbackCreated },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        giveFeedback(deps, change, request.params.rule_id, request.body),
      ),
  )
}
