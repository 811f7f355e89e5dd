import { z } from 'zod'
import type { ProposalCreate } from './proposals.ts'
import { filledText, LogId } from './text.ts'

/** What stands open in front of the one who asks: what "this" means in a question. */
export const LookingAt = z.strictObject({
  alert_id: z.uuid().optional(),
  case_id: z.uuid().optional(),
  log_id: LogId.optional(),
  host: filledText(255).optional(),
})
export type LookingAt = z.infer<typeof LookingAt>

export const ChatMessage = z.strictObject({
  message: filledText(4_000),
  conversation_id: z
    .uuid()
    .optional()
    .meta({ description: 'From `connected`, to go on with what was said' }),
  looking_at: LookingAt.optional().meta({
    description: 'What is open in front of the caller, so that "explain this" is understood',
  }),
})
export type ChatMessage = z.infer<typeof ChatMessage>

export const ChatStatus = z.object({
  /** The language model that words answers; null where the fixed questions alone are answered. */
  model: z.string().nullable(),
})
export type ChatStatus = z.infer<typeof ChatStatus>

/** What could be proposed: nothing is, until somebody sends it to `POST /agents/proposals`. */
export type ChatPreview = Pick<ProposalCreate, 'title' | 'rationale' | 'action' | 'cites'>
