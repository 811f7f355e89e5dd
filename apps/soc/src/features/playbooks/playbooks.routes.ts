import type { Http } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import {
  ExecuteBody,
  ExecuteQuery,
  Execution,
  ExecutionListQuery,
  PendingApproval,
  Playbook,
  PlaybookListQuery,
  PlaybookParams,
  StartedExecution,
} from '@manara/soc-contract/playbooks'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requires } from '../../http/permissions.ts'
import type { ReadPlaybooks } from './definitions/read-playbooks.ts'
import type { AnswerExecute } from './executions/start/answer-execute.ts'

export type PlaybookDeps = {
  reads: ReadPlaybooks
  execute: AnswerExecute
  limitExecute(request: FastifyRequest): Promise<void>
}

const tags = ['playbooks']

/** For analysts; the same playbooks as under /soar, where they are also managed. */
export function playbookRoutes(http: Http, { reads, execute, limitExecute }: PlaybookDeps) {
  http.get(
    '/playbooks',
    {
      ...requires('playbooks:read'),
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
    '/playbooks/executions',
    {
      ...requires('playbooks:read'),
      schema: {
        tags,
        summary: 'List executions of playbooks',
        querystring: ExecutionListQuery,
        response: { 200: listOf(Execution) },
      },
    },
    ({ query }) => reads.executions(query),
  )

  const { config, onRequest } = requires('playbooks:execute')
  http.post(
    '/playbooks/:playbook_id/execute',
    {
      config,
      onRequest: [onRequest, limitExecute],
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
      execute(request, reply, {
        playbookId: request.params.playbook_id,
        body: request.body,
        approvalId: request.query.approval_id,
      }),
  )
}
