import { z } from 'zod'

/** Something to be seen: not only spaces, joiners, fillers and the like. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/** What a person called something: shown on pages and on the screen, and stored. */
export const shownName = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be text without NUL')
    .refine((text) => VISIBLE.test(text), 'must have letters that can be seen')

/** A folder on the card, told apart from its namesakes by the folders above it. */
export const ReciterName = shownName(400)
