import type { Http } from '@manara/kit/http'
import {
  Playbook,
  PlaybookCreate,
  PlaybookParams,
  PlaybookToggle,
  PlaybookUpdate,
} from '@manara/soc-contract/playbooks'
import { z } from 'zod'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { requires } from '../../../http/permissions.ts'

export type ManageDeps = {
  createPlaybook(change: ChangeContext, body: PlaybookCreate): Promise<Playbook>
  updatePlaybook(change: ChangeContext, id: string, body: PlaybookUpdate): Promise<Playbook>
  togglePlaybook(change: ChangeContext, id: string, enabled: boolean | undefined): Promise<Playbook>
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
        response: { 201: Playbook },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => deps.createPlaybook(change, request.body)),
  )

  http.patch(
    '/soar/playbooks/:playbook_id',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Change a playbook',
        description: 'What has begun keeps the steps it began with.',
        params: PlaybookParams,
        body: PlaybookUpdate,
        response: { 200: Playbook },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        deps.updatePlaybook(change, request.params.playbook_id, request.body),
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
        description: 'To what `enabled` says; without it, to the other.',
        params: PlaybookParams,
        body: PlaybookToggle.nullish(),
        response: { 200: Playbook },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        deps.togglePlaybook(change, request.params.playbook_id, request.body?.enabled),
      ),
  )
}
