import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const DAY_MS = 86_400_000
const SAMPLE = 100

const Params = z.strictObject({
  value: filledText(4_096),
  days: z.number().positive().max(365).default(7),
})
type Params = z.infer<typeof Params>

/** What is known of a value: the indicator that it is, and where the logs saw it. */
export function enrichIndicator(
  functions: Pick<ActionFunctions, 'findIndicator' | 'searchLogs'>,
  now: () => Date,
): Action {
  return {
    effect: 'reads',
    params: Params,
    async run({ value, days }: Params, { signal }) {
      const to = now()
      const [indicator, seen] = await Promise.all([
        functions.findIndicator(value),
        functions.searchLogs(
          { query: quoted(value), from: new Date(to.getTime() - days * DAY_MS), to, limit: SAMPLE },
          signal,
        ),
      ])
      const hosts = new Set(seen.logs.map(({ host }) => host).filter((host) => host !== null))
      return {
        value,
        known: indicator !== null,
        score: indicator?.score ?? 0,
        indicator,
        sightings: seen.total,
        hosts: [...hosts],
        last_seen_at: seen.logs[0]?.timestamp ?? null,
      }
    },
  }
}

const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`
