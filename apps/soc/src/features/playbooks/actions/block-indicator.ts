import { filledText, text } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const Value = filledText(4_096)

const Params = z.strictObject({
  /** One, or a list such as `{{ alert.iocs }}`. */
  value: z.union([Value.transform((value) => [value]), z.array(Value).max(500)]),
  score: z.int().min(1).max(100).default(90),
  valid_days: z.number().positive().max(3_650).default(30),
  reason: text(2_000).nullable().default(null),
})
type Params = z.infer<typeof Params>

export function blockIndicator(
  functions: Pick<ActionFunctions, 'blockIndicators' | 'refuseCollectors'>,
): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { value, ...request }: Params) {
      if (value.length === 0) return { indicator_ids: [], values: [] }
      await functions.refuseCollectors(change.tx, value)
      return functions.blockIndicators(change, { values: value, ...request })
    },
    undo: (_params: Params, { indicator_ids }) => ({
      action: 'unblock_indicator',
      params: { indicator_ids },
    }),
    simulate: ({ value }: Params) => ({
      indicator_ids: value.map(() => SIMULATED_ID),
      values: value,
    }),
  }
}
