import { z } from 'zod'

export const AutoResumeBody = z.strictObject({ enabled: z.boolean() })
export const MaxVolumeBody = z.strictObject({ max_volume: z.int().min(0).max(100) })

export const SettingsStatus = z.object({ auto_resume: z.boolean(), max_volume: z.int() })
export type SettingsStatus = z.infer<typeof SettingsStatus>

export const SettingsResult = SettingsStatus.extend({ success: z.literal(true) })
