import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import type { Agents } from './agent-work.ts'

/** Why a run is ended from outside. */
export type BreakOff = 'lost' | 'paused' | 'stopped'

export type RunDeps = {
  db: Kysely<Tables>
  logs: LogStore
  agents: Agents
  /** This process: what it writes counts only while the job is its own. */
  owner: string
  now(): number
  log: Logger
} & Pick<Changes, 'internalWorkflow'>

/** The job went to another process, or the kill switch was used, before the end was written. */
export const LOST = Symbol('the job is not ours any more')
