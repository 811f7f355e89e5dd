import type { Http } from '@manara/kit/http'
import { type ListOf, listOf } from '@manara/soc-contract/lists'
import {
  ExecuteBody,
  ExecuteQuery,
  Execution,
  ExecutionListQuery,
  ExecutionParams,
  PendingApproval,
  Playbook,
  PlaybookListQuery,
  PlaybookParams,
  StartedExecution,
} from '@manara/soc-contract/playbooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import { requires } from '../../http/permissions.ts'

export type ExecutionDeps = {
  reads: {
    playbooks(query: PlaybookListQuery): Promise<ListOf<Playbook>>
    playbook(id: string): Promise<Playbook>
    executions(query: ExecutionListQuery): Promise<ListOf<Execution>>
    execution(id: string): Promise<Execution>
  }
  execute(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: {
      playbookId: string
      body: ExecuteBody | null | undefined
      approvalId: string | undefined
    },
  ): Promise<StartedExecution | PendingApproval>
  limitExecute(request: FastifyRequest): Promise<void>
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

  const { config, onRequest } = requires('soar:execute')
  http.post(
    '/soar/playbooks/:playbook_id/execute',
    {
      config,
      onRequest: [onRequest, deps.limitExecute],
      schema: {
        tags,
        summary: 'Execute a playbook',
        description:
          'A critical playbook answers `pending_approval` and executes nothing; once approved, repeat the call with `approval_id`. `dry_run` rehearses: nothing is changed and nobody is reached.',
        params: PlaybookParams,
        querystring: ExecuteQuery,
        body: ExecuteBody.nullish(),
        response: { 200: z.union([PendingApproval, StartedExecution]) },
      },
    },
    (request, reply) =>
      deps.execute(request, reply, {
        playbookId: request.params.playbook_id,
        body: request.body,
        approvalId: request.query.approval_id,
      }),
  )

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
