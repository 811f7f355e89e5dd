import { unavailable } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { ListQuery, listOf } from '@manara/soc-contract/lists'
import { ResponseRule, ResponseRuleParams } from '@manara/soc-contract/playbooks'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Mode } from '../../core/mode/mode.ts'
import { requires } from '../../http/permissions.ts'
import { pageOf } from '../../showcase/query.ts'

export type ResponseRuleDeps = {
  mode: Mode
  /** Of the showcase: there are no others, a playbook has its own trigger. */
  rules: ResponseRule[]
} & Pick<Changes, 'operatorChange'>

const tags = ['soar']
const RuleQuery = ListQuery.pick({ skip: true, limit: true, cursor: true })

const NO_RULES =
  'response rules are only shown in dummy mode: give a playbook a trigger instead (PATCH /soar/playbooks/{id})'

export function responseRuleRoutes(http: Http, { mode, rules, operatorChange }: ResponseRuleDeps) {
  http.get(
    '/soar/rules',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'List response rules',
        description: 'Empty outside dummy mode.',
        querystring: RuleQuery,
        response: { 200: listOf(ResponseRule) },
      },
    },
    async ({ query }) => pageOf(mode.showsStory ? rules : [], query),
  )

  http.post(
    '/soar/rules/:rule_id/toggle',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Switch a response rule on or off',
        description: '503 outside dummy mode, where changes are blocked.',
        params: ResponseRuleParams,
        response: { 200: ResponseRule },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, async () => {
        throw unavailable(NO_RULES)
      }),
  )
}
