import { randomUUID } from 'node:crypto'
import { timeLimit } from '@manara/kit/after-steps'
import { AppError, forbidden, tooMany } from '@manara/kit/errors'
import { DEEPEST, isTooDeep } from '@manara/kit/is-too-deep'
import type { Logger } from '@manara/kit/logging'
import { agentCalled } from '@manara/soc-contract/agent-names'
import type { ToolEnvelope, ToolInfo } from '@manara/soc-contract/tools'
import type { Kysely } from 'kysely'
import type { RecordAudit } from '../../core/audit/record-audit.ts'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import { withDetail } from '../../core/change/with-detail.ts'
import type { Mode } from '../../core/mode/mode.ts'
import { jsonSchemaOf } from '../../core/tools/json-schema.ts'
import type { Tool, ToolCall, ToolContext, Tools } from '../../core/tools/tool.ts'
import { explainDatabaseFailure } from '../../db/connection-failure.ts'
import type { Tables } from '../../db/tables.ts'
import { describeInput } from './describe-input.ts'
import { failure, tellable } from './domain/failure.ts'
import { judgeTaint } from './domain/taint.ts'

export type CallDeps = {
  db: Kysely<Tables>
  mode: Mode
  log: Logger
  tools: Tool[]
  recordAudit: RecordAudit
  /** Whether it may work now; `paused` is the kill switch for all of them. */
  agentState(agentId: string): Promise<'on' | 'disabled' | 'paused'>
  /** For what a tainted run may not do itself; the id of the approval that a person decides. */
  askPerson(change: ChangeContext, asked: { tool: string; input: object }): Promise<string>
} & Pick<Changes, 'internalWorkflow'>

/** One registry for agents, chat and MCP: each call is checked, bounded and audited here. */
export function createTools(deps: CallDeps): Tools {
  const known = new Map(deps.tools.map((tool) => [tool.name, tool]))
  let infos: ToolInfo[] | undefined

  return {
    list() {
      infos ??= deps.tools.map(infoOf)
      return infos
    },
    async call(name, input, call) {
      const tool = known.get(name)
      const answer = await answerOf(deps, tool, input, call).catch((thrown: unknown) => {
        const error = explainDatabaseFailure(thrown)
        return tellable(error) ?? internal(deps.log, name, error)
      })
      await audit(deps, name, input, call, answer)
      return answer
    },
  }
}

/** In the order of the checks: who, may they, what, of what, in which mode, on whose word, how much. */
async function answerOf(
  deps: CallDeps,
  tool: Tool | undefined,
  given: unknown,
  call: ToolCall,
): Promise<ToolEnvelope> {
  const { principal, run } = call
  if (call.agent !== undefined) await admitAgent(deps, call.agent, call)
  if (!tool) return failure('NOT_FOUND', 'there is no tool of this name')
  const missing = tool.permissions.find((permission) => !principal.permissions.has(permission))
  if (missing) throw forbidden(missing)

  const parsed = tool.input.safeParse(given ?? {})
  if (!parsed.success) return failure('INVALID_ARGUMENT', describeInput(parsed.error))
  const input = parsed.data
  await tool.check(input, { db: deps.db, principal })

  const blocked = blockedBy(deps.mode, tool, call)
  if (blocked) return failure('MODE_BLOCKED', blocked)

  const taint = judgeTaint(tool.effect === 'acts' || tool.settles(input), input, run)
  if (taint.kind === 'unknown-id') {
    return failure('INVALID_ARGUMENT', `${taint.field}: ${taint.id} is no record of this run`)
  }
  if (run && run.callsLeft <= 0) throw tooMany('tool', 60)
  if (run) run.callsLeft -= 1
  if (taint.kind === 'needs-person') {
    const approval_id = await deps.internalWorkflow(
      (change) =>
        deps.askPerson(withDetail(change, wayOf(tool, call)), {
          tool: tool.name,
          input: input as object,
        }),
      principal,
    )
    const why = `${tool.name} decides, and this run has read text from outside: a person decides`
    return { ...failure('APPROVAL_REQUIRED', why), status: 'pending_approval', approval_id }
  }
  return perform(deps, tool, input, call)
}

async function admitAgent(deps: CallDeps, said: string, { principal, isPipeline }: ToolCall) {
  if (!isPipeline && !principal.permissions.has('agents:manage')) {
    throw new AppError(403, 'to call as an agent requires agents:manage, or a service account')
  }
  const agent = agentCalled(said)
  if (!agent) throw new AppError(404, `agent ${said} not found`)
  if (agent.type === 'supervisor' || agent.type === 'approval') {
    throw new AppError(403, `${agent.name} may not call tools`)
  }
  const state = await deps.agentState(agent.id)
  if (state === 'paused') throw new AppError(403, 'all agents are paused: resume them first')
  if (state === 'disabled') throw new AppError(403, `${agent.name} is disabled: enable it first`)
}

/** What a pipeline records is kept in `dry_run`; what a person asks for there is not. */
function blockedBy(mode: Mode, tool: Tool, call: ToolCall): string | undefined {
  if (tool.effect === 'reads') return undefined
  if (!mode.runsPipelines) return `changes are blocked in ${mode.name} mode: nothing was changed`
  if (mode.operatorChanges === 'made' || call.isPipeline) return undefined
  return `in ${mode.name} mode only agents record anything: nothing was changed`
}

async function perform(
  deps: CallDeps,
  tool: Tool,
  input: unknown,
  call: ToolCall,
): Promise<ToolEnvelope> {
  using limit = timeLimit(Math.min(call.budgetMs ?? tool.budgetMs, tool.budgetMs))
  const { signal: overtime } = limit
  const signal = call.signal ? AbortSignal.any([call.signal, overtime]) : overtime
  const context: ToolContext = {
    db: deps.db,
    principal: call.principal,
    signal,
    record: (work) =>
      deps.internalWorkflow(async (change) => {
        const done = await work(withDetail(change, wayOf(tool, call)))
        // Before the commit: whoever was told that the time was over finds nothing changed.
        signal.throwIfAborted()
        return done
      }, call.principal),
  }
  try {
    signal.throwIfAborted()
    const answer = await tool.run(input, context)
    if (call.run) {
      for (const id of tool.shows(answer)) call.run.shown.add(id)
      if (tool.effect === 'reads') call.run.hasReadForeignText = true
    }
    return { status: 'ok', error_code: null, error: null, ...answer }
  } catch (error) {
    if (call.signal?.aborted) return failure('TIMEOUT', 'the caller has gone: nothing was changed')
    if (overtime.aborted)
      return failure('TIMEOUT', `${tool.name} took too long: nothing was changed`)
    throw error
  }
}

function internal(log: Logger, tool: string, error: unknown): ToolEnvelope {
  const reference = randomUUID()
  log.error({ err: error, tool, reference }, 'a tool failed')
  return failure('INTERNAL', `something went wrong here: reference ${reference}`)
}

async function audit(
  deps: CallDeps,
  name: string,
  input: unknown,
  { principal, agent, address, requestId }: ToolCall,
  { error_code, error }: ToolEnvelope,
) {
  const isRefused = error_code !== null && error_code !== 'MODE_BLOCKED'
  await deps.recordAudit([
    {
      actor: principal.username,
      actor_kind: principal.kind,
      action: `tool.${known(name)}`,
      target: agent === undefined ? 'tool' : agentOf(agent),
      outcome: isRefused ? 'refused' : error_code === null ? 'done' : 'blocked',
      detail: error_code === null ? undefined : `${error_code}: ${error}`.slice(0, 500),
      after: { arguments: shortened(input) },
      address,
      request_id: requestId,
    },
  ])
}

/** Else it would look as if the caller had done it by hand. */
const wayOf = ({ name }: Tool, { agent }: ToolCall) =>
  agent === undefined ? `by ${name}` : `by ${name} of ${agentOf(agent)}`

const agentOf = (said: string) => `agent:${agentCalled(said)?.id ?? 'unknown'}`

const known = (name: string) => (/^[a-z_]{1,60}$/.test(name) ? name : 'unknown')

const MOST_AUDITED = 10_000

/** As text, so that nothing in it can be too large or too deep for the log. */
function shortened(input: unknown): string {
  if (isTooDeep(input)) return `nested more than ${DEEPEST} deep`
  const text = JSON.stringify(input ?? {})
    .toWellFormed()
    .replaceAll('\\u0000', '')
  return text.length > MOST_AUDITED ? `${text.slice(0, MOST_AUDITED)}…` : text
}

function infoOf(tool: Tool): ToolInfo {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    effect: tool.effect,
    permissions: tool.permissions,
    budget_ms: tool.budgetMs,
    input_schema: jsonSchemaOf(tool.input, 'input'),
  }
}
