import { SearchLogsInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const searchLogs = (functions: ToolFunctions) =>
  defineTool({
    name: 'search_logs',
    title: 'Search log events',
    description:
      'The newest log events that match a query, such as `host:web-* AND "failed password" NOT user:root`.',
    input: SearchLogsInput,
    effect: 'reads',
    permissions: ['siem:read'],
    async run(search, { signal }) {
      const { items, ...rest } = await functions.searchLogs(search, signal)
      const { total, is_total_exact, partial, notes } = rest
      return { total, is_total_exact, partial, notes, logs: items }
    },
    shows: ({ logs }) => logs.map(({ id }) => id),
  })
