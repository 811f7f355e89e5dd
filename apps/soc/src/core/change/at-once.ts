import type { callerOf } from '../audit/entry.ts'
import type { WrittenEvent } from './write-audit-and-events.ts'

export type Caller = ReturnType<typeof callerOf>

/** One of those who share a change; `inContext` is where their request runs. */
export type GroupMember = { caller: Caller; inContext: <T>(work: () => T) => T }

/** Changes that were made with their audit rows: the answers in their places, and what the listeners are told. */
export type AtOnce<Done> = { done: Done[]; told: WrittenEvent[] }
