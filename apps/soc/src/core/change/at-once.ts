import type { callerOf } from '../audit/entry.ts'
import type { InContext } from './groups.ts'
import type { WrittenEvent } from './write-audit-and-events.ts'

export type Caller = ReturnType<typeof callerOf>

/** One of those who share a change. */
export type GroupMember = { caller: Caller } & InContext

/** Changes that were made with their audit rows: the answers in their places, and what the listeners are told. */
export type AtOnce<Done> = { done: Done[]; told: WrittenEvent[] }
