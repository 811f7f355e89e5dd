import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { text } from './text.ts'

/** So that `{{ secrets.<name> }}` can be written in a playbook. */
export const SecretName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,63}$/,
    'must be at most 64 lower-case letters, digits, _ and -, a letter first',
  )

export const SecretParams = z.object({ name: SecretName })

/** What is shorter could not be told from other text where answers are searched for it. */
const SHORTEST = 8

const SecretHost = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?$/,
    'must be a host such as api.example.com, or api.example.com:8443',
  )

/** The value comes with every change: who does not know it cannot widen where it may go. */
export const SecretWrite = z.strictObject({
  value: text(8_192)
    .min(SHORTEST, `must have at least ${SHORTEST} characters`)
    .meta({ writeOnly: true, example: 'correct-horse-battery-staple' }),
  description: text(1_000).nullable().default(null),
  hosts: z
    .array(SecretHost)
    .max(50)
    .default([])
    .meta({ description: 'The only hosts it may be sent to; none means any', example: [] }),
})
export type SecretWrite = z.infer<typeof SecretWrite>

/** Everything but the value, which never leaves the service but in the call that it is for. */
export const Secret = z.object({
  name: z.string(),
  description: z.string().nullable(),
  hosts: z.array(z.string()),
  /** One more with every value that it was given. */
  version: z.int(),
  is_readable: z
    .boolean()
    .meta({ description: 'False when it was sealed with another key file: store it again' }),
  used_by: z.array(z.object({ playbook_id: z.string(), playbook_name: z.string() })),
  used_by_settings: z
    .array(z.string())
    .meta({ description: 'Settings of the service that name it', example: ['EDR_SECRET'] }),
  created_at: z.string(),
  created_by: z.string(),
  updated_at: z.string(),
  updated_by: z.string(),
})
export type Secret = z.infer<typeof Secret>

export const SecretListQuery = ListQuery.pick({ skip: true, limit: true, cursor: true })
export type SecretListQuery = z.infer<typeof SecretListQuery>

export const SecretDeleted = z.object({ deleted: z.literal(true), name: z.string() })
