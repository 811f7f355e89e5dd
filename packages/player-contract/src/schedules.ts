import { z } from 'zod'
import { Target } from './target.ts'

const EVERY_DAY = 0b111_1111

const fields = {
  hour: z.int().min(0).max(23).describe('Local time, by the rule of settings.timezone'),
  minute: z.int().min(0).max(59),
  days: z
    .int()
    .min(0)
    .max(EVERY_DAY)
    .describe('Bit 0 is Sunday … bit 6 is Saturday; 0 fires once and then disables itself'),
  target: Target,
  volume: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .describe('Set when it fires, or lent to an adhan while it sounds; null leaves it as it is'),
}

export const ScheduleBody = z.strictObject({ ...fields, volume: fields.volume.optional() })
export type ScheduleBody = z.infer<typeof ScheduleBody>

export const SchedulePatch = z
  .strictObject({ ...fields, enabled: z.boolean() })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, {
    path: ['hour'],
    message: 'send at least one field to change',
  })
export type SchedulePatch = z.infer<typeof SchedulePatch>

export const EnableBody = z.strictObject({ enabled: z.boolean() })

export const ScheduleResult = z.object({
  outcome: z
    .enum(['fired', 'skipped', 'failed'])
    .describe('Skipped: the box was off, or its clock not set, when it was due'),
  at: z.int().describe('Unix seconds when it was due'),
  reason: z.string().describe('Why it was skipped or failed; empty when it fired'),
})
export type ScheduleResult = z.infer<typeof ScheduleResult>

export const Schedule = z.object({
  id: z.int(),
  ...fields,
  enabled: z.boolean(),
  next_fire: z
    .int()
    .nullable()
    .describe('Unix seconds; null while it is disabled or the clock is not set'),
  last_result: ScheduleResult.nullable().describe('What became of it the last time it was due'),
})
export type Schedule = z.infer<typeof Schedule>

export const ScheduleList = z.object({ schedules: z.array(Schedule) })
export const ScheduleReply = Schedule.extend({ success: z.literal(true) })
