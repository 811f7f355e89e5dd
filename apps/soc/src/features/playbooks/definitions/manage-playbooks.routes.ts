import type { Http } from '@manara/kit/http'
import {
  PendingApproval,
  Playbook,
  PlaybookCreate,
  PlaybookParams,
  PlaybookToggle,
  PlaybookUpdate,
} from '@manara/soc-contract/playbooks'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { requires } from '../../../http/permissions.ts'

/** Or it waits for a second person. */
type Changed = Playbook | PendingApproval

export type ManageDeps = {
  createPlaybook(change: ChangeContext, body: PlaybookCreate): Promise<Changed>
  updatePlaybook(change: ChangeContext, id: string, body: PlaybookUpdate): Promise<Changed>
  togglePlaybook(change: ChangeContext, id: string, enabled: boolean | undefined): Promise<Changed>
  deletePlaybook(change: ChangeContext, id: string): Promise<{ deleted: true; id: string }>
} & Pick<Changes, 'operatorChange'>

const tags = ['soar']

export function managePlaybookRoutes(http: Http, deps: ManageDeps) {
  const { operatorChange } = deps

  http.post(
    '/soar/playbooks',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Write a playbook',
        body: PlaybookCreate,
        response: { 201: Playbook, 202: PendingApproval },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, async (change) =>
        told(reply, await deps.createPlaybook(change, request.body)),
      ),
  )

  http.patch(
    '/soar/playbooks/:playbook_id',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Change a playbook',
        description:
          'What has begun keeps the steps it began with. Other steps, parameters, triggers or approvers of a critical playbook, and making it uncritical, wait for a second person: 202.',
        params: PlaybookParams,
        body: PlaybookUpdate,
        response: { 200: Playbook, 202: PendingApproval },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, async (change) =>
        told(reply, await deps.updatePlaybook(change, request.params.playbook_id, request.body)),
      ),
  )

  http.delete(
    '/soar/playbooks/:playbook_id',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Delete a playbook',
        params: PlaybookParams,
        response: { 200: z.object({ deleted: z.literal(true), id: z.string() }) },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        deps.deletePlaybook(change, request.params.playbook_id),
      ),
  )

  http.post(
    '/soar/playbooks/:playbook_id/toggle',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Switch a playbook on or off',
        description:
          'To what `enabled` says; without it, to the other. Switching a critical playbook on waits for a second person: 202.',
        params: PlaybookParams,
        body: PlaybookToggle.nullish(),
        response: { 200: Playbook, 202: PendingApproval },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, async (change) =>
        told(
          reply,
          await deps.togglePlaybook(change, request.params.playbook_id, request.body?.enabled),
        ),
      ),
  )
}

/** 202 where it waits for somebody else to agree. */
function told(reply: FastifyReply, answer: Changed): Changed {
  if ('requires_approval' in answer) reply.code(202)
  return answer
}
