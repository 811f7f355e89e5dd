import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const Params = z.strictObject({ indicator_ids: z.array(filledText(200)).max(500) })
type Params = z.infer<typeof Params>

/** The way back of block_indicator: they are revoked. */
export function unblockIndicator(functions: Pick<ActionFunctions, 'unblockIndicators'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { indicator_ids }: Params) {
      if (indicator_ids.length > 0) await functions.unblockIndicators(change, indicator_ids)
      return { indicator_ids, revoked: true }
    },
    undo: null,
    simulate: ({ indicator_ids }: Params) => ({ indicator_ids, revoked: true }),
  }
}
