import type { Http } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import {
  Execution,
  ExecutionListQuery,
  ExecutionParams,
  Playbook,
  PlaybookListQuery,
  PlaybookParams,
} from '@manara/soc-contract/playbooks'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import { requires } from '../../http/permissions.ts'
import type { ReadPlaybooks } from './definitions/read-playbooks.ts'
import { type ExecuteRouteDeps, executeRoute } from './executions/start/execute.routes.ts'

export type ExecutionDeps = ExecuteRouteDeps & {
  reads: ReadPlaybooks
  cancelExecution(change: ChangeContext, id: string): Promise<Execution>
  requestRollback(change: ChangeContext, id: string): Promise<Execution>
  /** Every process looks: the one that runs it may be another. */
  wakeExecutions(): void
} & Pick<Changes, 'operatorChange'>

const tags = ['soar']

/** Playbooks and executions as responders see them. */
export function soarRoutes(http: Http, deps: ExecutionDeps) {
  const { reads, operatorChange } = deps

  http.get(
    '/soar/playbooks',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'List playbooks',
        querystring: PlaybookListQuery,
        response: { 200: listOf(Playbook) },
      },
    },
    ({ query }) => reads.playbooks(query),
  )

  http.get(
    '/soar/playbooks/:playbook_id',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'One playbook',
        params: PlaybookParams,
        response: { 200: Playbook },
      },
    },
    ({ params }) => reads.playbook(params.playbook_id),
  )

  executeRoute(http, deps, { path: '/soar/playbooks', permission: 'soar:execute', tags })

  http.get(
    '/soar/executions',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'List executions',
        querystring: ExecutionListQuery,
        response: { 200: listOf(Execution) },
      },
    },
    ({ query }) => reads.executions(query),
  )

  http.get(
    '/soar/executions/:execution_id',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'One execution',
        params: ExecutionParams,
        response: { 200: Execution },
      },
    },
    ({ params }) => reads.execution(params.execution_id),
  )

  const endings = [
    ['cancel', 'Cancel an execution', deps.cancelExecution],
    ['rollback', 'Take back what an execution did, last step first', deps.requestRollback],
  ] as const
  for (const [name, summary, operation] of endings) {
    http.post(
      `/soar/executions/:execution_id/${name}`,
      {
        ...requires('soar:execute'),
        schema: { tags, summary, params: ExecutionParams, response: { 200: Execution } },
      },
      async (request, reply) => {
        const execution = await operatorChange(request, reply, 200, (change) =>
          operation(change, request.params.execution_id),
        )
        deps.wakeExecutions()
        return execution
      },
    )
  }
}
