import { z } from 'zod'

export const Battery = z.object({
  present: z.boolean().describe('False when no battery is attached; the rest is then zero'),
  voltage: z.number().describe('Volts'),
  percentage: z.int(),
  charging: z.boolean(),
})
export type Battery = z.infer<typeof Battery>
