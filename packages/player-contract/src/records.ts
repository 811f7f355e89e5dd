import { z } from 'zod'

/** Ids are numbers on the wire; in a path anything else is simply unknown. */
export const IdParams = z.object({ id: z.string() })

export const DeleteResult = z.object({ success: z.literal(true), id: z.int() })
