import { AggregateLogsInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const aggregateLogs = (functions: ToolFunctions) =>
  defineTool({
    name: 'aggregate_logs',
    title: 'Count log events',
    description: 'Counts matching events by the values of a field, or by time with `by: "time"`.',
    input: AggregateLogsInput,
    effect: 'reads',
    permissions: ['siem:read'],
    async run({ by, bucket_s, limit, ...search }, { signal }) {
      if (by === 'time') {
        const { buckets, partial } = await functions.countByTime({ ...search, bucket_s }, signal)
        const counted = buckets.filter(({ count }) => count > 0)
        return { by, groups: counted.map(({ from, count }) => ({ value: from, count })), partial }
      }
      const found = await functions.topValues({ ...search, field: by, limit }, signal)
      return { by, groups: found.items, partial: found.partial }
    },
  })
