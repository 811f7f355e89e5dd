import { z } from 'zod'

export const BACKUP_FORMAT = 'manara-player'
/** Five years of a school with thirty learners are some 15 MB. */
export const MOST_BACKUP_BYTES = 32 * 1024 * 1024

export const Backup = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.string().describe('Of the player that made it'),
  store: z.int().min(1).describe('Of the state store: a box that knows less cannot bring it back'),
  made_at: z.iso.datetime().nullable().describe('Null where the box did not know the time'),
  digest: z.string().describe('SHA-256 of `tables`: a file that was cut or changed is refused'),
  tables: z.record(
    z.string(),
    z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())) }),
  ),
})
export type Backup = z.infer<typeof Backup>

export const BroughtBack = z.object({ success: z.literal(true) })
