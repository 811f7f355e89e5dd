import { z } from 'zod'

/** What a person called something: shown on pages and on the screen, and stored. */
export const shownName = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be text without NUL')
