import { z } from 'zod'
import { updateUrlProblem } from './update-url.ts'

const OTA_STATUSES = [
  'idle',
  'downloading',
  'receiving',
  'verifying',
  'installing',
  'rebooting',
  'pending_confirm',
  'success',
  'rolled_back',
  'failed',
] as const

export const OtaStatus = z.object({
  in_progress: z.boolean(),
  progress: z.int().min(0).max(100),
  mode: z.enum(['pull', 'upload', 'idle']).describe('Where the image under way comes from'),
  status: z
    .enum(OTA_STATUSES)
    .describe('pending_confirm: the new version runs and has yet to prove itself'),
  error: z.string().describe('Why it failed or was rolled back; empty otherwise'),
})
export type OtaStatus = z.infer<typeof OtaStatus>

export const OtaResult = OtaStatus.extend({ success: z.literal(true) })

const allow_downgrade = z
  .boolean()
  .optional()
  .describe('Install it even when it is not newer than what runs')

export const PullBody = z.strictObject({
  url: z.string().superRefine((text, check) => {
    const problem = updateUrlProblem(text)
    if (problem) check.addIssue({ code: 'custom', message: problem })
  }),
  allow_downgrade,
})
export type PullBody = z.infer<typeof PullBody>

/** Any bytes: they are read as they come, and judged by their signature. */
export const ImageBody = z.any().describe('The firmware image')

export const UploadQuery = z.strictObject({
  allow_downgrade: z
    .enum(['true', 'false'])
    .optional()
    .describe('Install it even when it is not newer than what runs'),
})
