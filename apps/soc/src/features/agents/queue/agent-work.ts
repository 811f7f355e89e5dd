import type { AgentId, Cites, FindingKind } from '@manara/soc-contract/agents'
import type { ProposedAction } from '@manara/soc-contract/proposals'
import type { Kysely } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore } from '../../../ports/log-store.ts'

export type NewJob = {
  agent: AgentId
  /** The event and the record it is about: the same key again is no further job. */
  key: string
  input: Record<string, unknown>
  /** 0 to 4, as severities are; what is more urgent is worked first. */
  priority: number
  /** Host and user: in a storm jobs of one group are worked together. */
  group?: string | null
  /** Not before so long from now. */
  delayMs?: number
  /** A job of the same group that waits is put off instead: work begins when it is quiet. */
  isPutOff?: boolean
}

export type Job = {
  id: string
  key: string
  input: Record<string, unknown>
  attempt: number
  /** Inputs of those that are worked together with it. */
  joined: Record<string, unknown>[]
}

export type NewFinding = {
  /** The same agent says the same about the same thing once. */
  key: string
  kind: FindingKind
  claim: string
  reasons: string[]
  weight: number
  alertId?: string | null
  caseId?: string | null
  host?: string | null
  techniques?: string[]
  data?: Record<string, unknown>
  cites: Partial<Cites>
}

export type NewProposal = {
  /** What is proposed, in short: a twin of an open one, or of one that was rejected, is not stored. */
  key: string
  title: string
  rationale: string[]
  action: ProposedAction
  evidence?: Record<string, unknown>
  cites: Partial<Cites>
}

export type ReadLogs = Pick<LogStore, 'search' | 'scan' | 'topValues' | 'byId'>

/**
 * One run of an agent. First it reads, as far as its budget goes; what it found is stored at the end
 * in one transaction, together with the word that the job is done. So a run that was cut off can
 * begin again.
 */
export type Run = {
  db: Kysely<Tables>
  /** Counted: a read over the budget throws, and what was found until then is stored as partial. */
  logs: ReadLogs
  signal: AbortSignal
  now(): number
  /** How far the last run of this agent has looked. */
  lookedUntil: number | undefined
  /** For the record of the run: what was done, and how much came of it. */
  step(what: string, count?: number): void
  found(finding: NewFinding): void
  propose(proposal: NewProposal): void
  /** Written at the end, in the transaction of the run. */
  record(write: (change: ChangeContext) => Promise<void>): void
  askFor(job: NewJob): void
  /** In a few words, for people. */
  say(summary: string): void
}

export type AgentEvent = { seq: string; event: string; data: Record<string, unknown> }

/** What makes an agent work, and how. */
export type AgentWork = {
  /** The jobs this event means for it. */
  jobsOf?(event: AgentEvent): Omit<NewJob, 'agent'>[]
  /** A timer asks for a job this often. */
  everyMs?: number
  run(job: Job, run: Run): Promise<void>
}

export type Agents = Partial<Record<AgentId, AgentWork>>

export const entriesOf = (agents: Agents) => Object.entries(agents) as [AgentId, AgentWork][]
