import type { Engine } from './engine.ts'

export type Operation = Exclude<keyof Engine, 'append' | 'close'>

/** What the service asks of the worker. Appended events come in pieces, of which one is the last. */
export type Request =
  | {
      kind: 'call'
      id: number
      operation: Operation
      args: unknown[]
      timeLimitMs?: number | undefined
    }
  | { kind: 'piece'; id: number; logs: unknown[]; isLast: boolean }
  | { kind: 'cancel'; id: number }
  | { kind: 'close'; id: number }

export type Reply =
  | { id: number; value: unknown }
  | { id: number; error: { status: number | undefined; message: string } }
  | { warning: string }
