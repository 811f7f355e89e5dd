import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const HOUR_MS = 3_600_000
// Of the step's output, which every later step may read.
const MOST_CHARACTERS = 200_000

const Params = z.strictObject({
  query: filledText(4_000),
  hours: z.number().positive().max(8_760).default(24),
  limit: z.int().min(1).max(100).default(20),
})
type Params = z.infer<typeof Params>

export function searchLogs(
  functions: Pick<ActionFunctions, 'searchLogs'>,
  now: () => Date,
): Action {
  return {
    effect: 'reads',
    params: Params,
    async run({ query, hours, limit }: Params, { signal }) {
      const to = now()
      const from = new Date(to.getTime() - hours * HOUR_MS)
      const { total, logs } = await functions.searchLogs({ query, from, to, limit }, signal)
      return { total, logs: beginningOf(logs) }
    },
  }
}

function beginningOf(logs: object[]): object[] {
  let size = 0
  return logs.filter((log) => {
    size += JSON.stringify(log).length
    return size <= MOST_CHARACTERS
  })
}
