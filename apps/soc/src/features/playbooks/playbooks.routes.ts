import type { Http } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import {
  Execution,
  ExecutionListQuery,
  Playbook,
  PlaybookListQuery,
} from '@manara/soc-contract/playbooks'
import { requires } from '../../http/permissions.ts'
import type { ReadPlaybooks } from './definitions/read-playbooks.ts'
import { type ExecuteRouteDeps, executeRoute } from './executions/start/execute.routes.ts'

export type PlaybookDeps = ExecuteRouteDeps & { reads: ReadPlaybooks }

const tags = ['playbooks']

/** For analysts; the same playbooks as under /soar, where they are also managed. */
export function playbookRoutes(http: Http, deps: PlaybookDeps) {
  const { reads } = deps

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

  executeRoute(http, deps, { path: '/playbooks', permission: 'playbooks:execute', tags })
}
