import { z } from 'zod'
import { Severity } from './severity.ts'
import { filledText, text } from './text.ts'

const DeviceEvent = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be at most 64 letters, digits, - and _')
    .meta({ description: 'Of the device’s own: the same again within a day is not stored twice' }),
  timestamp: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Left out while the device does not know the time' }),
  event: filledText(100).meta({ example: 'token_failure' }),
  severity: Severity.default('info'),
  message: filledText(2_000),
  details: z
    .record(z.string().max(100), z.union([text(1_000), z.number(), z.boolean(), z.null()]))
    .default({})
    .refine((details) => Object.keys(details).length <= 50, 'has more than 50'),
})

/** What a device tells of itself. Whose it is comes from the signature, never from the body. */
export const DeviceLogs = z.strictObject({ events: z.array(DeviceEvent).min(1).max(500) })
export type DeviceLogs = z.infer<typeof DeviceLogs>

export const DeviceLogsTaken = z.object({ accepted: z.int(), rejected: z.int() })
export type DeviceLogsTaken = z.infer<typeof DeviceLogsTaken>
