import { z } from 'zod'

/** `none` when nothing of a demonstration is here. */
export const DemonstrationStatus = z.enum(['none', 'loading', 'loaded', 'removing'])
export type DemonstrationStatus = z.infer<typeof DemonstrationStatus>

export const Demonstration = z.object({
  status: DemonstrationStatus,
  /** What is being done, or has been. */
  step: z.string().nullable(),
  progress: z
    .number()
    .nullable()
    .meta({ description: 'Of loading or removing, 0 to 1; null when neither is under way' }),
  events: z.int().meta({ description: 'Invented events that are stored' }),
  alerts: z.int().meta({ description: 'Alerts about them, which count in the statistics' }),
  begun_by: z.string().nullable(),
  begun_at: z.string().nullable(),
})
export type Demonstration = z.infer<typeof Demonstration>
