import { AppError } from '@manara/kit/errors'
import { filledText, text } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action, ActionCall } from './action.ts'
import type { ActionFunctions, EndpointReceipt } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const PATIENCE_S = 30
const LOOK_AGAIN_MS = { first: 1_000, longest: 60_000 }

const Params = z.strictObject({
  /** Its id, or its host name. */
  endpoint: filledText(255),
  reason: text(2_000).nullable().default(null),
  /** How long the step waits for the endpoint; what is not done by then stays queued. */
  wait_s: z.int().min(0).max(86_400).default(PATIENCE_S),
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
    async resume(change, { wait_s }: Params, { action_id, has_effect, patience }, { isWayBack }) {
      const receipt = await functions.readEndpointAction(change.tx, String(action_id))
      if (/^(failed|cancelled)$/.test(receipt.status)) throw notDone(command, receipt)
      const at = now().getTime()
      const end = Date.parse(String(patience))
      const isDone = receipt.status === 'completed'
      if (!isDone && at >= end && isWayBack) throw notYet(command, receipt)
      return isDone || at >= end
        ? { output: { ...receipt, has_effect } }
        : { until: new Date(Math.min(end, at + gapAfter(at - (end - wait_s * 1_000)))) }
    },
    // An endpoint that somebody else had isolated before stays isolated. By its id: meanwhile it may
    // have another name, and another machine its old one. A step that waits for nothing is taken back
    // like the others.
    undo:
      back &&
      (({ endpoint, wait_s }: Params, { has_effect, endpoint_id }): ActionCall | null => {
        if (has_effect === false) return null
        const params = { endpoint: endpoint_id ?? endpoint, wait_s: Math.max(wait_s, PATIENCE_S) }
        return { action: back, params }
      }),
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

/** Whoever reads that it was taken back believes that the endpoint is as it was. */
const notYet = (command: string, { detail }: EndpointReceipt) =>
  new AppError(
    504,
    `${command} is ordered and not done yet${detail ? `: ${detail}` : ''}; the order stands, look at the endpoint`,
  )
