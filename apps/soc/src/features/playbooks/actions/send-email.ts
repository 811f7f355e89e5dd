import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const Address = z.email('must be an e-mail address')

const Params = z.strictObject({
  to: z.union([Address.transform((address) => [address]), z.array(Address).min(1).max(50)]),
  subject: filledText(500),
  body: filledText(100_000),
})
type Params = z.infer<typeof Params>

export function sendEmail(functions: Pick<ActionFunctions, 'sendMail'>): Action {
  return {
    effect: 'acts',
    params: Params,
    async run({ to, subject, body }: Params, { signal, idempotencyKey }) {
      // Mail programs show one message once, by this id.
      const messageId = `<${idempotencyKey.replaceAll(/[^\w.-]/g, '.')}@soc>`
      return functions.sendMail({ to, subject, text: body, messageId }, signal)
    },
    undo: null,
    simulate: ({ to }: Params) => ({ accepted: to, rejected: [] }),
  }
}
