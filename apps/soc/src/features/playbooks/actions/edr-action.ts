import { AppError } from '@manara/kit/errors'
import { filledText, text } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action, ActionCall } from './action.ts'
import type { ActionFunctions, EndpointReceipt } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const LOOK_AGAIN_MS = { first: 1_000, longest: 60_000 }

const Params = z.strictObject({
  /** Its id, or its host name. */
  endpoint: filledText(255),
  reason: text(2_000).nullable().default(null),
  /** How long the step waits for the endpoint; what is not done by then stays queued. */
  wait_s: z.int().min(0).max(86_400).default(30),
})
type Params = z.infer<typeof Params>

const BACK = { isolate: 'edr_unisolate', unisolate: 'edr_isolate', scan: null } as const

/** Asks for it once, then looks how far it has come. */
export function edrAction(
  command: keyof typeof BACK,
  functions: Pick<ActionFunctions, 'requestEndpointAction' | 'readEndpointAction'>,
  now: () => Date,
): Action {
  const back = BACK[command]
  return {
    effect: 'waits',
    params: Params,
    async begin(change, { endpoint, reason, wait_s }: Params, run) {
      const { idempotencyKey: requestKey, isWayBack } = run
      const request = { endpoint, command, reason, requestKey, isWayBack }
      const receipt = await functions.requestEndpointAction(change, request)
      const patience = new Date(now().getTime() + wait_s * 1_000)
      return { until: now(), note: { ...receipt, patience: patience.toISOString() } }
    },
    async resume(change, { wait_s }: Params, { action_id, has_effect, patience }) {
      const receipt = await functions.readEndpointAction(change.tx, String(action_id))
      if (/^(failed|cancelled)$/.test(receipt.status)) throw notDone(command, receipt)
      const at = now().getTime()
      const end = Date.parse(String(patience))
      return receipt.status === 'completed' || at >= end
        ? { output: { ...receipt, has_effect } }
        : { until: new Date(Math.min(end, at + gapAfter(at - (end - wait_s * 1_000)))) }
    },
    // An endpoint that somebody else had isolated before stays isolated. By its id: meanwhile it may
    // have another name, and another machine its old one.
    undo:
      back &&
      (({ endpoint }: Params, { has_effect, endpoint_id }): ActionCall | null =>
        has_effect === false
          ? null
          : { action: back, params: { endpoint: endpoint_id ?? endpoint } }),
    simulate: ({ endpoint }: Params) => ({
      action_id: SIMULATED_ID,
      command,
      endpoint,
      status: 'completed',
      has_effect: true,
    }),
  }
}

/** A thousand that wait for hours must not hold up those that have something to do. */
const gapAfter = (waitedMs: number) =>
  Math.min(Math.max(waitedMs / 8, LOOK_AGAIN_MS.first), LOOK_AGAIN_MS.longest)

const notDone = (command: string, { status, detail }: EndpointReceipt) =>
  new AppError(502, `the EDR did not ${command}: ${detail ?? status}`)
