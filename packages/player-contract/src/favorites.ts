import { z } from 'zod'
import { StreamUrl } from './playback.ts'
import { ReciterName, shownName } from './shown-name.ts'

const FIELDS = { surah: ['reciter', 'surah'], stream: ['url', 'name'] } as const

// One object with a refinement, not a union: a union's failure cannot say which field is wrong.
export const FavoriteBody = z
  .strictObject({
    type: z.enum(['surah', 'stream']),
    reciter: ReciterName.optional().describe('With type surah'),
    surah: z.int().min(1).max(114).optional().describe('With type surah'),
    url: StreamUrl.optional().describe('With type stream'),
    name: shownName(200).optional().describe('With type stream'),
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const other = body.type === 'surah' ? 'stream' : 'surah'
    for (const field of FIELDS[body.type]) {
      if (body[field] === undefined) refuse(field, `is required with type ${body.type}`)
    }
    for (const field of FIELDS[other]) {
      if (body[field] !== undefined) refuse(field, `goes with type ${other}`)
    }
  })
export type FavoriteBody = z.infer<typeof FavoriteBody>

export const Favorite = z.object({
  id: z.int(),
  type: z.enum(['surah', 'stream']),
  reciter: z.string(),
  surah: z.int().describe('0 for a stream'),
  url: z.string(),
  name: z.string(),
  play_count: z.int(),
  last_played: z.int().nullable().describe('Unix seconds'),
  created_at: z.int().describe('Unix seconds'),
})
export type Favorite = z.infer<typeof Favorite>

export const FavoriteList = z.object({ favorites: z.array(Favorite) })
export const FavoriteResult = Favorite.extend({ success: z.literal(true) })
export const ToggleResult = z.object({
  success: z.literal(true),
  added: z.boolean(),
  id: z.int().describe('Of the favorite that was added or removed'),
})
