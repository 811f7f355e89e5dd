import type { Http } from '@manara/kit/http'
import { ToolCallBody, ToolEnvelope, ToolList, ToolParams } from '@manara/soc-contract/tools'
import { principalOf } from '../../core/identity/caller.ts'
import type { Tools } from '../../core/tools/tool.ts'
import { requires, usesTools } from '../../http/permissions.ts'
import { whileConnected } from '../../http/while-connected.ts'

export type ToolDeps = { tools: Tools }

const tags = ['agents']

export function toolRoutes(http: Http, { tools }: ToolDeps) {
  http.get(
    '/agents/tools',
    {
      ...requires('agents:read'),
      schema: { tags, summary: 'The tools agents may call', response: { 200: ToolList } },
    },
    () => {
      const items = tools.list()
      return { items, total: items.length }
    },
  )

  http.post(
    '/agents/:id/tools/:name',
    {
      ...usesTools(),
      schema: {
        tags,
        summary: 'Call a tool as an agent',
        description:
          'For service accounts that run an agent elsewhere, and for managers. The tool checks its own permission. Always 200 with the envelope: `error_code` says why something was not done.',
        params: ToolParams,
        body: ToolCallBody.nullish(),
        response: { 200: ToolEnvelope },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      return whileConnected(reply, (signal) =>
        tools.call(request.params.name, request.body?.arguments, {
          principal,
          agent: request.params.id,
          isPipeline: principal.role === 'service',
          budgetMs: request.body?.budget_ms,
          signal,
          address: request.ip,
          requestId: request.id,
        }),
      )
    },
  )
}
