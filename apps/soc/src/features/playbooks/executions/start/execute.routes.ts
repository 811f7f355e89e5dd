import type { Http } from '@manara/kit/http'
import type { Permission } from '@manara/soc-contract/permissions'
import {
  ExecuteBody,
  ExecuteQuery,
  PendingApproval,
  PlaybookParams,
  StartedExecution,
} from '@manara/soc-contract/playbooks'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requires } from '../../../../http/permissions.ts'
import type { AnswerExecute } from './answer-execute.ts'

export type ExecuteRouteDeps = {
  execute: AnswerExecute
  limitExecute(request: FastifyRequest): Promise<void>
}

/** The same for analysts and for responders: each has a path and a permission of their own. */
export function executeRoute(
  http: Http,
  { execute, limitExecute }: ExecuteRouteDeps,
  { path, permission, tags }: { path: string; permission: Permission; tags: string[] },
) {
  const { config, onRequest } = requires(permission)
  http.post(
    `${path}/:playbook_id/execute`,
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
