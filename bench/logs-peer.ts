import { COMMON_FIELDS } from '@manara/log-query/event'
import type { StoredLog } from '../apps/soc/src/ports/log-store.ts'
import type { LogQueries } from './logs-questions.ts'

/** The same events in an engine of others. */
export type Peer = LogQueries & {
  createTable(): Promise<void>
  insert(logs: StoredLog[]): Promise<void>
  /** What is worth doing once all is in. */
  finish(): Promise<void>
}

export type PeerEngine = {
  name: string
  /** No more events than this. */
  most: number
  /** Says why it cannot be had here. */
  whyNot(): string | undefined
  /** Its server, over what the directory holds; `undo` stops it. */
  open(directory: string, undo: AsyncDisposableStack): Promise<Peer>
}

/** The columns of an event as others keep it. */
export const COLUMNS = ['at', ...COMMON_FIELDS, 'fields'] as const

export const rowOf = (log: StoredLog) => ({ ...log, fields: JSON.stringify(log.fields) })
