import { z } from 'zod'
import { filledText } from './text.ts'

export const ChatMessage = z.strictObject({
  message: filledText(4_000),
  conversation_id: z
    .uuid()
    .optional()
    .meta({ description: 'From `connected`, to go on with what was said' }),
})
export type ChatMessage = z.infer<typeof ChatMessage>
