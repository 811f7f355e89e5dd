import { z } from 'zod'

export const BACKUP_FORMAT = 'manara-player'
/** Five adhans of four minutes, as they are mostly had. */
export const MOST_SOUND_BYTES = 20 * 1024 * 1024
/** Five years of a school with thirty learners are some 15 MB, and sounds grow by a third. */
export const MOST_BACKUP_BYTES = 56 * 1024 * 1024

const OwnSound = z.object({
  name: z.string().regex(/^[^/\\\0.][^/\\\0]{0,250}$/, 'must be the name of a file'),
  digest: z.string().describe('SHA-256 of the sound'),
  data: z.string().describe('Base64'),
})

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
  sounds: z
    .array(OwnSound)
    .optional()
    .describe('Own sounds that are chosen for prayers, at most 20 MB together'),
  left_out: z.array(z.string()).optional().describe('Names of chosen sounds that had no room'),
})
export type Backup = z.infer<typeof Backup>

export const BroughtBack = z.object({ success: z.literal(true) })
