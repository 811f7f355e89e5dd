import { z } from 'zod'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')

/** As JSON, or as the headers Upload-Length and Upload-Metadata of the tus protocol. */
export const UploadBody = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(1024)
    .describe('Where it goes on the card, or data:NAME for a sound kept in the box'),
  size: z.int().min(1).describe('Bytes of the whole file'),
  sha256: Sha256.optional().describe('Checked before the file appears under its name'),
  overwrite: z.boolean().optional().describe('Replace a file of that name; false when left out'),
})
export type UploadBody = z.infer<typeof UploadBody>

export const Upload = z.object({
  id: z.string(),
  path: z.string(),
  size: z.int().describe('Bytes'),
  offset: z.int().describe('Bytes that are on disk: where to go on after a broken connection'),
  state: z
    .enum(['receiving', 'checking', 'done', 'failed', 'cancelled'])
    .describe('The last three come as events only, and the upload is gone then'),
  error: z.string().optional().describe('Why it failed'),
})
export type Upload = z.infer<typeof Upload>

const UploadSpace = z.object({
  writable: z.boolean(),
  reason: z.string().optional().describe('Why nothing can be written to the card'),
  free_bytes: z.int().describe('Left on the card, with what uploads under way will take taken off'),
  total_bytes: z.int(),
  file_limit_bytes: z.int().describe('The largest file that is taken; 0 when uploads are off'),
  total_limit_bytes: z.int().describe('What all uploads under way may take together'),
})

export const UploadList = UploadSpace.extend({ uploads: z.array(Upload) })
export type UploadList = z.infer<typeof UploadList>

export const UploadResult = Upload.extend({ success: z.literal(true) })
export const UploadParams = z.object({ id: z.string() })
