import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { conflict } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { FastifyRequest } from 'fastify'
import { createWebhookCaller } from '../adapters/guarded-webhook.ts'
import { createMailer } from '../adapters/smtp-mail.ts'
import type { ChangeContext } from '../core/change/operator-change.ts'
import { createWorkers } from '../db/worker.ts'
import type { PlaybookFunctions } from '../features/agents/proposals/functions.ts'
import { alertById } from '../features/alerts/alerts.store.ts'
import { type ApprovalDeps, approvalRoutes } from '../features/approvals/approvals.routes.ts'
import { decideApproval } from '../features/approvals/decide-approval.ts'
import { expireApprovals } from '../features/approvals/expire-approvals.ts'
import { hasSecondPerson } from '../features/approvals/may-decide.ts'
import { requestApproval } from '../features/approvals/request-approval.ts'
import { lookForDecisions } from '../features/approvals/request-human-approval.ts'
import {
  approvedRequest,
  consumeApproval,
  spendApproval,
  standingApproval,
  useApproval,
  withdrawApproval,
} from '../features/approvals/use-approval.ts'
import { addComment } from '../features/cases/parts/add-comment.ts'
import { addObservable } from '../features/cases/parts/add-observable.ts'
import { addTask } from '../features/cases/parts/add-task.ts'
import { removeObservable } from '../features/cases/parts/remove-observable.ts'
import { updateTask } from '../features/cases/parts/update-task.ts'
import { createActions } from '../features/playbooks/actions/all-actions.ts'
import type { ActionFunctions, AreaFunctions } from '../features/playbooks/actions/functions.ts'
import { knownActions } from '../features/playbooks/actions/known-actions.ts'
import { makeDecidedChange } from '../features/playbooks/definitions/ask-second-person.ts'
import { loadShipped, readShipped } from '../features/playbooks/definitions/load-shipped.ts'
import { managePlaybookRoutes } from '../features/playbooks/definitions/manage-playbooks.routes.ts'
import type { PlaybookRow } from '../features/playbooks/definitions/playbook-record.ts'
import { playbookById, readSecretUsers } from '../features/playbooks/definitions/playbooks.store.ts'
import { createReadPlaybooks } from '../features/playbooks/definitions/read-playbooks.ts'
import { revisionRoutes } from '../features/playbooks/definitions/revisions.routes.ts'
import {
  createPlaybook,
  deletePlaybook,
  togglePlaybook,
  updatePlaybook,
} from '../features/playbooks/definitions/write-playbook.ts'
import { resolveParameters } from '../features/playbooks/domain/parameters.ts'
import { createExecutor } from '../features/playbooks/executions/claim/claim-executions.ts'
import { instanceOf } from '../features/playbooks/executions/claim/instance.ts'
import { createAnswerExecute } from '../features/playbooks/executions/start/answer-execute.ts'
import { beginExecution } from '../features/playbooks/executions/start/begin-execution.ts'
import { executeAgain } from '../features/playbooks/executions/start/execute-again.ts'
import { onDecided } from '../features/playbooks/executions/start/on-decided.ts'
import type { ExecuteRequest } from '../features/playbooks/executions/start/start-or-ask-approval.ts'
import { triggerPlaybooks } from '../features/playbooks/executions/start/trigger-playbooks.ts'
import {
  cancelExecution,
  requestRollback,
} from '../features/playbooks/executions/undo/end-by-request.ts'
import { playbookRoutes } from '../features/playbooks/playbooks.routes.ts'
import { soarRoutes } from '../features/playbooks/soar.routes.ts'
import { responseRuleRoutes } from '../features/playbooks/soar-rules.routes.ts'
import { credentialOf, secretNamedBy } from '../features/secrets/credential.ts'
import { openSecrets, warnOfUnreadable } from '../features/secrets/open-secrets.ts'
import { secretRoutes } from '../features/secrets/secrets.routes.ts'
import { holdSecrets } from '../features/secrets/secrets.store.ts'
import { responseRules } from '../showcase/response.ts'
import type { Platform } from './area.ts'

const PLAYBOOKS = fileURLToPath(new URL('../../playbooks/', import.meta.url))
const POLL_MS = 1_000
const LEASE_MS = 15_000

type ResponseNeeds = {
  leaseMs: number | undefined
  limitExecute(request: FastifyRequest): Promise<void>
  /** Whatever else waits for a decision. */
  onDecided: ApprovalDeps['onDecided']
  /** What other areas do for playbooks. */
  functions: AreaFunctions &
    Pick<ActionFunctions, 'readCase' | 'openCase' | 'updateCase' | 'deleteCase'>
}

/** Playbooks, their executions, and the approvals they wait for. */
export function composeResponse(platform: Platform, needs: ResponseNeeds) {
  const { config, database, db, mode, log, notifications } = platform
  const { operatorChange, internalWorkflow, readThrough, sealing } = platform
  const { smtpUrl, smtpPassword, smtpFrom, webhookAllow } = config.response
  const now = () => new Date()
  const functions: ActionFunctions = {
    ...needs.functions,
    readAlert: alertById,
    ...{ addComment, addTask, updateTask, addObservable, removeObservable },
    ...{ requestApproval, useApproval, withdrawApproval },
    findSecrets: holdSecrets,
    openSecrets: (tx, names) => openSecrets(sealing, tx, names),
    callWebhook: createWebhookCaller({ allow: webhookAllow }),
    sendMail: createMailer({
      ...{ url: smtpUrl, from: smtpFrom },
      password: smtpUrl && smtpPassword ? credentialOf(platform, smtpPassword, smtpUrl) : undefined,
    }),
  }
  const actions = createActions(functions, now)
  const known = knownActions(actions)
  const shipped = readShipped(PLAYBOOKS, known)
  void database.onAvailable(() => loadShipped(db, shipped))
  void database.onAvailable(() => warnOfUnreadable({ db, sealing, log }))

  const instance = instanceOf(config.dataDir)
  const isReady = () => mode.runsPipelines && database.isAvailable()
  const executor = createExecutor({
    ...{ db, actions, functions, mode, now, log, isReady, instance, internalWorkflow },
    owner: `${instance}/${randomUUID()}`,
    leaseMs: needs.leaseMs ?? LEASE_MS,
  })
  const writing = {
    ...{ known, hasSecondPerson, requestApproval, spendApproval },
    findSecrets: functions.findSecrets,
  }
  const decided: ApprovalDeps['onDecided'] = async (change, approval) => {
    await makeDecidedChange(writing, change, approval)
    await onDecided(functions, change, approval)
    await needs.onDecided(change, approval)
  }
  const workers = createWorkers({ isReady, log })
  const triggers = workers.add({
    async pass() {
      const found = await triggerPlaybooks({ db, internalWorkflow, log }, functions)
      if (found.mayHaveBegun) executor.wake()
      return found.isMoreLeft
    },
    pollMs: POLL_MS,
    gapMs: 40,
  })
  workers.add({
    pass: () => expireApprovals({ db, internalWorkflow, log }, decided),
    pollMs: POLL_MS,
    gapMs: POLL_MS,
  })
  workers.add({
    pass: () => lookForDecisions({ internalWorkflow }),
    pollMs: POLL_MS,
    gapMs: POLL_MS,
  })
  notifications.on('soc_executions', executor.wake)
  notifications.on('soc_numbered', triggers.wake)

  const executing = { ...functions, approvedRequest, consumeApproval, standingApproval }
  const execute = createAnswerExecute({
    ...executing,
    ...{ db, mode, operatorChange, internalWorkflow },
    wakeExecutor: executor.wake,
  })
  const wakeExecutions = () => {
    executor.wake()
    notifications.tell('soc_executions')
  }

  async function enabledPlaybook({ tx }: ChangeContext, id: string): Promise<PlaybookRow> {
    const playbook = await playbookById(tx, id)
    if (!playbook.enabled) throw conflict(`playbook ${id} is switched off`)
    return playbook
  }

  async function begin(
    change: ChangeContext,
    playbook: PlaybookRow,
    { playbook_id, concerns, ...ask }: Parameters<PlaybookFunctions['askForPlaybook']>[1],
  ) {
    const asked = {
      ...ask,
      trigger: 'manual' as const,
      dry_run: false,
      parameters: resolveParameters(playbook.parameters, ask.parameters),
    }
    const begun = await beginExecution(functions, change, playbook, asked, concerns)
    if (!begun) throw conflict(`playbook ${playbook_id} has been executed for this alert`)
    return { execution_id: begun.id, approval_id: begun.approval_id }
  }

  /** For those who propose playbooks, and decide about approvals on another way. */
  const proposing: PlaybookFunctions = {
    decideApproval: (change, id, decision) => decideApproval(decided, change, id, decision),
    rollBack: (change, id) => requestRollback(actions, change, id),
    cancelExecution: (change, id) => cancelExecution(functions, change, id),
    async beginPlaybook(change, ask) {
      const playbook = await enabledPlaybook(change, ask.playbook_id)
      return begin(change, playbook, { ...ask, requested_by: change.principal.username })
    },
    async askForPlaybook(change, ask) {
      // To propose one is not to begin it: somebody else decides, as about a critical one.
      const playbook = await enabledPlaybook(change, ask.playbook_id)
      return begin(change, { ...playbook, is_critical: true }, ask)
    },
  }

  return {
    /** For the tools: the same call again goes on with the approval it asked for. */
    executeAgain: (change: ChangeContext, request: Omit<ExecuteRequest, 'approvalId'>) =>
      executeAgain(executing, change, request),
    wakeExecutor: executor.wake,
    proposing,
    wakeExecutions,
    routes(api: Http) {
      const reads = createReadPlaybooks(db, readThrough)
      const { limitExecute } = needs
      playbookRoutes(api, { reads, execute, limitExecute })
      soarRoutes(api, {
        ...{ reads, execute, limitExecute, operatorChange, wakeExecutions },
        cancelExecution: (change, id) => cancelExecution(functions, change, id),
        requestRollback: (change, id) => requestRollback(actions, change, id),
      })
      managePlaybookRoutes(api, {
        operatorChange,
        createPlaybook: (change, body) => createPlaybook(writing, change, body),
        updatePlaybook: (change, id, body) => updatePlaybook(writing, change, id, body),
        togglePlaybook: (change, id, enabled) => togglePlaybook(writing, change, id, enabled),
        deletePlaybook,
      })
      revisionRoutes(api, { db, readThrough })
      secretRoutes(api, {
        ...{ db, readThrough, operatorChange, sealing },
        readUsers: readSecretUsers,
        settings: {
          EDR_SECRET: secretNamedBy(config.edr.secret),
          SOC_SMTP_PASSWORD: secretNamedBy(smtpPassword),
          SOC_LLM_KEY: secretNamedBy(config.languageModel.key),
        },
      })
      responseRuleRoutes(api, { mode, operatorChange, rules: responseRules })
      approvalRoutes(api, { db, readThrough, operatorChange, wakeExecutions, onDecided: decided })
    },
    start() {
      executor.start()
      workers.start()
    },
    async stop() {
      await Promise.all([executor.stop(), workers.stop()])
    },
  }
}
