import type { Permission } from '@manara/soc-contract/permissions'
import type { ToolEffect, ToolEnvelope, ToolInfo } from '@manara/soc-contract/tools'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../../db/tables.ts'
import type { ChangeContext } from '../change/operator-change.ts'
import type { Principal } from '../identity/principal.ts'

/**
 * What one run of an agent or one question in the chat has seen so far. Text from logs, alerts and
 * cases can be written by an attacker, so a run that has read any may no longer act by itself.
 */
type ToolRun = {
  /** Ids of records that the platform itself showed; one that only stands in a text is not among them. */
  shown: Set<string>
  hasReadForeignText: boolean
  callsLeft: number
}

export type ToolCall = {
  principal: Principal
  /** The agent that calls, by id or name; none for a person's own assistant. */
  agent?: string | undefined
  /** Only for calls whose arguments a model chose. */
  run?: ToolRun | undefined
  /** Whether the platform itself calls, as its agents do, rather than a person. */
  isPipeline?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Less than the tool's own, if at all. */
  budgetMs?: number | undefined
  address?: string | undefined
  requestId?: string | undefined
}

/** What a tool may use while it runs. */
export type ToolContext = {
  db: Kysely<Tables>
  principal: Principal
  signal: AbortSignal
  /** One transaction with its audit entries and events; undone when the time is over. */
  record<T>(work: (change: ChangeContext) => Promise<T>): Promise<T>
}

/** `status` is `ok` unless the tool says more; `error_code` only when it did not do what was asked. */
export type ToolAnswer = Record<string, unknown> & Partial<ToolEnvelope>

export type Tool = {
  name: string
  title: string
  description: string
  input: z.ZodType
  effect: ToolEffect
  permissions: [Permission, ...Permission[]]
  budgetMs: number
  /** Throws 404 when a record that the arguments name is not there. */
  check(input: unknown, context: Pick<ToolContext, 'db' | 'principal'>): Promise<void>
  run(input: unknown, context: ToolContext): Promise<ToolAnswer>
  /** Whether these arguments settle what a person should: like acting, not for a tainted run. */
  settles(input: unknown): boolean
  /** Ids of the records in an answer. */
  shows(answer: ToolAnswer): string[]
}

type Written<Input, Answer> = {
  check?(input: Input, context: Pick<ToolContext, 'db' | 'principal'>): Promise<unknown>
  run(input: Input, context: ToolContext): Promise<Answer>
  settles?(input: Input): boolean
  shows?(answer: Answer): string[]
  budgetMs?: number
}

const BUDGET_MS = 30_000

/** A tool with the types of its own input; the registry keeps them all as `Tool`. */
export function defineTool<Schema extends z.ZodType, Answer extends ToolAnswer>(
  facts: Pick<Tool, 'name' | 'title' | 'description' | 'effect' | 'permissions'> & {
    input: Schema
  } & Written<z.infer<Schema>, Answer>,
): Tool {
  const { check, run, settles, shows, budgetMs = BUDGET_MS, ...plain } = facts
  return {
    ...plain,
    budgetMs,
    check: async (input, context) => void (await check?.(input as z.infer<Schema>, context)),
    run: (input, context) => run(input as z.infer<Schema>, context),
    settles: (input) => settles?.(input as z.infer<Schema>) ?? false,
    shows: (answer) => shows?.(answer as Answer) ?? [],
  }
}

type CallTool = (name: string, input: unknown, call: ToolCall) => Promise<ToolEnvelope>

export type Tools = { list(): ToolInfo[]; call: CallTool }
