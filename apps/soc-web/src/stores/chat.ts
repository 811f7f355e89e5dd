import type { ChatPreview, LookingAt } from '@manara/soc-contract/chat'
import type { StreamEvent } from '@manara/ui/event-stream'
import type { Memory } from '@manara/ui/preferences'
import { signal } from '@preact/signals'

export type Turn = {
  id: number
  question: string
  at: LookingAt
  /** Markdown as it comes. */
  answer: string
  /** What was read for it. */
  steps: { id: string; name: string; isRefused: boolean | null }[]
  previews: (ChatPreview & { proposalId?: string })[]
  state: 'answering' | 'done' | 'stopped' | 'failed'
  /** `built-in`, or the name of the model. */
  answeredBy: string | null
  /** Why a model's answer, or all of it, is missing. */
  problem: string | null
  /** The service had forgotten what was said before. */
  isBegunAnew: boolean
}

export type ChatDeps = {
  /** Sends the question and hands over the events of the answer until it ends. */
  ask(body: object, onEvent: (event: StreamEvent) => void, signal: AbortSignal): Promise<void>
  memory: Memory
  /** Whose thread it is: another person does not find it. */
  owner: string
  explain(error: unknown): string
}

const KEY = 'chat'
const MOST_TURNS = 40

type Kept = { owner: string; conversationId: string | null; turns: Turn[] }

/** One thread of questions and answers, kept as long as the tab. */
export function createChat({ ask, memory, owner, explain }: ChatDeps) {
  const kept = read(memory, owner)
  let conversationId = kept.conversationId
  let asking: AbortController | undefined
  const turns = signal<Turn[]>(
    // What was being answered when the page was loaded anew will not be any more.
    kept.turns.map((turn) => (turn.state === 'answering' ? { ...turn, state: 'stopped' } : turn)),
  )

  function keep() {
    const whole: Kept = { owner, conversationId, turns: turns.value }
    memory.setItem(KEY, JSON.stringify(whole))
  }
  function change(id: number, how: (turn: Turn) => Partial<Turn>) {
    turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...how(turn) } : turn))
  }

  function hear(id: number, { event, data }: StreamEvent) {
    const told = JSON.parse(data)
    if (event === 'connected') {
      const isBegunAnew = conversationId !== null && told.conversation_id !== conversationId
      conversationId = told.conversation_id
      change(id, () => ({ isBegunAnew }))
    } else if (event === 'token') change(id, ({ answer }) => ({ answer: answer + told.content }))
    else if (event === 'tool_call') {
      const step = { id: told.id, name: told.name, isRefused: null }
      change(id, ({ steps }) => ({ steps: [...steps, step] }))
    } else if (event === 'tool_result') {
      const isRefused = told.error_code !== null
      change(id, ({ steps }) => ({
        steps: steps.map((step) => (step.id === told.id ? { ...step, isRefused } : step)),
      }))
    } else if (event === 'preview')
      change(id, ({ previews }) => ({ previews: [...previews, told] }))
    else if (event === 'error') change(id, () => ({ problem: told.detail }))
    else if (event === 'end')
      change(id, () => ({
        answeredBy: told.answered_by,
        state: told.answered_by === null ? 'failed' : 'done',
      }))
  }

  return {
    turns,
    async ask(question: string, at: LookingAt) {
      if (asking) return
      const mine = new AbortController()
      asking = mine
      const id = (turns.value.at(-1)?.id ?? 0) + 1
      turns.value = [
        ...turns.value,
        {
          ...{ id, question, at, answer: '', steps: [], previews: [], state: 'answering' as const },
          ...{ answeredBy: null, problem: null, isBegunAnew: false },
        },
      ].slice(-MOST_TURNS)
      const body = {
        message: question,
        ...(conversationId && { conversation_id: conversationId }),
        ...(Object.keys(at).length > 0 && { looking_at: at }),
      }
      try {
        await ask(body, (event) => hear(id, event), mine.signal)
        // A stream that was cut says no end.
        change(id, ({ state }) => ({ state: state === 'answering' ? 'failed' : state }))
      } catch (error) {
        if (mine.signal.aborted) change(id, () => ({ state: 'stopped' }))
        else change(id, () => ({ state: 'failed', problem: explain(error) }))
      } finally {
        if (asking === mine) asking = undefined
        keep()
      }
    },
    stop: () => asking?.abort(),
    /** A preview was sent and is a proposal now. */
    proposed(id: number, index: number, proposalId: string) {
      change(id, ({ previews }) => ({
        previews: previews.map((one, at) => (at === index ? { ...one, proposalId } : one)),
      }))
      keep()
    },
    clear() {
      asking?.abort()
      conversationId = null
      turns.value = []
      memory.removeItem(KEY)
    },
  }
}

export const forgetChat = (memory: Memory) => memory.removeItem(KEY)

function read(memory: Memory, owner: string): Kept {
  try {
    const kept: Kept = JSON.parse(memory.getItem(KEY) ?? '')
    if (kept.owner === owner) return kept
  } catch {
    // Nothing was kept, or by another version.
  }
  return { owner, conversationId: null, turns: [] }
}
