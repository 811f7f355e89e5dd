import { z } from 'zod'

export const Severity = z.enum(['critical', 'high', 'medium', 'low', 'info'])
export type Severity = z.infer<typeof Severity>
