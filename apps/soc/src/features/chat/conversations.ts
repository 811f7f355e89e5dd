import { randomUUID } from 'node:crypto'
import type { ModelMessage } from '../../ports/language-model.ts'

type Conversation = { id: string; owner: string; usedAt: number; messages: ModelMessage[] }

const KEPT_MS = 60 * 60_000
const MOST_KEPT = 1_000
const MOST_MESSAGES = 12

/**
 * What was said lately, so that a model understands "and before that?". In memory and for an hour:
 * a chat is no record, what it found is linked.
 */
export function createConversations(now: () => number) {
  const kept = new Map<string, Conversation>()

  /** Somebody else's, or one that is forgotten, begins anew. */
  function open(owner: string, id: string | undefined): Conversation {
    const known = id === undefined ? undefined : kept.get(id)
    const isUsable = known?.owner === owner && now() - known.usedAt < KEPT_MS
    const conversation = isUsable ? known : { id: randomUUID(), owner, usedAt: now(), messages: [] }
    kept.delete(conversation.id)
    kept.set(conversation.id, { ...conversation, usedAt: now() })
    for (const [oldest] of kept) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
    return conversation
  }

  function remember({ id }: Conversation, question: string, answer: string) {
    const conversation = kept.get(id)
    if (!conversation) return
    const said: ModelMessage[] = [
      { role: 'user', content: question },
      { role: 'assistant', content: answer, calls: [] },
    ]
    const messages = [...conversation.messages, ...said].slice(-MOST_MESSAGES)
    kept.set(id, { ...conversation, usedAt: now(), messages })
  }

  return { open, remember }
}
