import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Logger } from '@manara/kit/logging'
import { writeDurably } from '@manara/kit/write-durably'
import type { FastifyRequest } from 'fastify'
import { createWebhookCaller } from '../adapters/guarded-webhook.ts'
import { createMailer } from '../adapters/smtp-mail.ts'
import type { Config } from '../config.ts'
import type { Changes } from '../core/change/operator-change.ts'
import type { Mode } from '../core/mode/mode.ts'
import type { Reads } from '../core/mode/read-through.ts'
import type { Database } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import { startWorker } from '../db/worker.ts'
import { alertById } from '../features/alerts/alerts.store.ts'
import type { ApprovalDeps } from '../features/approvals/approvals.routes.ts'
import { expireApprovals } from '../features/approvals/expire-approvals.ts'
import { requestApproval } from '../features/approvals/request-approval.ts'
import { createRequestHumanApproval } from '../features/approvals/request-human-approval.ts'
import {
  approvedRequest,
  consumeApproval,
  useApproval,
  withdrawApproval,
} from '../features/approvals/use-approval.ts'
import type { AlertsOfCases } from '../features/cases/cases/alerts-of-cases.ts'
import { toCase } from '../features/cases/cases/case-record.ts'
import { caseById } from '../features/cases/cases/cases.store.ts'
import { deleteCase } from '../features/cases/cases/delete-case.ts'
import { openCase } from '../features/cases/cases/open-case.ts'
import { updateCase } from '../features/cases/cases/update-case.ts'
import { addComment } from '../features/cases/parts/add-comment.ts'
import { addObservable } from '../features/cases/parts/add-observable.ts'
import { addTask } from '../features/cases/parts/add-task.ts'
import { removeObservable } from '../features/cases/parts/remove-observable.ts'
import { updateTask } from '../features/cases/parts/update-task.ts'
import { createActions } from '../features/playbooks/actions/all-actions.ts'
import type { ActionFunctions, AreaFunctions } from '../features/playbooks/actions/functions.ts'
import { knownActions } from '../features/playbooks/actions/known-actions.ts'
import { loadShipped, readShipped } from '../features/playbooks/definitions/load-shipped.ts'
import type { ManageDeps } from '../features/playbooks/definitions/manage-playbooks.routes.ts'
import { createReadPlaybooks } from '../features/playbooks/definitions/read-playbooks.ts'
import {
  createPlaybook,
  deletePlaybook,
  togglePlaybook,
  updatePlaybook,
} from '../features/playbooks/definitions/write-playbook.ts'
import { startClaiming } from '../features/playbooks/executions/claim/claim-executions.ts'
import { createAnswerExecute } from '../features/playbooks/executions/start/answer-execute.ts'
import { onDecided } from '../features/playbooks/executions/start/on-decided.ts'
import { triggerPlaybooks } from '../features/playbooks/executions/start/trigger-playbooks.ts'
import {
  cancelExecution,
  requestRollback,
} from '../features/playbooks/executions/undo/end-by-request.ts'
import type { PlaybookDeps } from '../features/playbooks/playbooks.routes.ts'
import type { ExecutionDeps } from '../features/playbooks/soar.routes.ts'
import type { ResponseRuleDeps } from '../features/playbooks/soar-rules.routes.ts'
import { responseRules } from '../showcase/response.ts'

const PLAYBOOKS = path.resolve(import.meta.dirname, '../../playbooks')
const POLL_MS = 1_000
const LEASE_MS = 15_000

/** Playbooks, their executions, and the approvals they wait for. */
export async function composeResponse(
  deps: {
    database: Database
    notifications: Notifications
    mode: Mode
    log: Logger
    dataDir: string
    settings: Config['response']
    leaseMs?: number | undefined
    alerts: AlertsOfCases
    /** What other areas do for playbooks. */
    later: AreaFunctions
    limitExecute(request: FastifyRequest): Promise<void>
  } & Changes &
    Reads,
) {
  const { database, notifications, mode, log, alerts, operatorChange, internalWorkflow } = deps
  const db = database.kysely
  const now = () => new Date()

  const functions: ActionFunctions = {
    ...deps.later,
    readAlert: alertById,
    async readCase(tx, id) {
      const row = await caseById(tx, id)
      const linked = await alerts.alertIdsOf(tx, [row.id])
      return toCase(row, linked.get(row.id)?.map((alert) => alert.id) ?? [])
    },
    openCase: (change, body) => openCase(alerts, change, body),
    updateCase: (change, id, body) => updateCase(alerts, change, id, body),
    deleteCase: (change, id) => deleteCase(alerts, change, id),
    addComment,
    addTask,
    updateTask,
    addObservable,
    removeObservable,
    requestApproval,
    useApproval,
    withdrawApproval,
    callWebhook: createWebhookCaller({ allow: deps.settings.webhookAllow }),
    sendMail: createMailer({ url: deps.settings.smtpUrl, from: deps.settings.smtpFrom }),
  }
  const actions = createActions(functions, now)
  const known = knownActions(actions)
  const shipped = readShipped(PLAYBOOKS, known)
  await database.onAvailable(() => loadShipped(db, shipped))

  const instance = instanceOf(deps.dataDir)
  const isReady = () => mode.runsPipelines && database.isAvailable()
  const executor = startClaiming({
    db,
    actions,
    functions,
    mode,
    now,
    log,
    isReady,
    instance,
    internalWorkflow,
    owner: `${instance}/${randomUUID()}`,
    leaseMs: deps.leaseMs ?? LEASE_MS,
  })
  const decided: ApprovalDeps['onDecided'] = (change, approval) =>
    onDecided(functions, change, approval)
  const triggers = startWorker({
    async pass() {
      const isMoreLeft = await triggerPlaybooks({ db, internalWorkflow }, functions)
      executor.wake()
      return isMoreLeft
    },
    isReady,
    pollMs: POLL_MS,
    gapMs: 40,
    log,
  })
  const expiry = startWorker({
    pass: () => expireApprovals({ db, internalWorkflow }, decided),
    isReady,
    pollMs: POLL_MS,
    gapMs: POLL_MS,
    log,
  })
  notifications.on('soc_executions', executor.wake)
  notifications.on('soc_numbered', triggers.wake)
  executor.wake()

  const reads = createReadPlaybooks(db, deps.readThrough)
  const execute = createAnswerExecute({
    ...functions,
    approvedRequest,
    consumeApproval,
    db,
    mode,
    operatorChange,
    internalWorkflow,
    wakeExecutor: executor.wake,
  })
  const wakeExecutions = () => {
    executor.wake()
    notifications.tell('soc_executions')
  }
  const { limitExecute, readThrough } = deps
  return {
    playbooks: { reads, execute, limitExecute } satisfies PlaybookDeps,
    soar: {
      reads,
      execute,
      limitExecute,
      operatorChange,
      wakeExecutions,
      cancelExecution: (change, id) => cancelExecution(functions, change, id),
      requestRollback: (change, id) => requestRollback(actions, change, id),
      createPlaybook: (change, body) => createPlaybook(known, change, body),
      updatePlaybook: (change, id, body) => updatePlaybook(known, change, id, body),
      togglePlaybook,
      deletePlaybook,
      mode,
      rules: responseRules,
    } satisfies ExecutionDeps & ManageDeps & ResponseRuleDeps,
    approvals: {
      db,
      readThrough,
      operatorChange,
      wakeExecutions,
      onDecided: decided,
    } satisfies ApprovalDeps,
    requestHumanApproval: createRequestHumanApproval({ db, internalWorkflow }),
    async stop() {
      await Promise.all([executor.stop(), triggers.stop(), expiry.stop()])
    },
  }
}

/**
 * A data directory belongs to one process at a time, so what an earlier process there held is free
 * at once. The host is part of the name, since directories are copied with machines.
 */
function instanceOf(dataDir: string): string {
  const file = path.join(dataDir, 'instance')
  if (!existsSync(file)) writeDurably(file, randomUUID(), 0o600)
  return `${hostname()}:${readFileSync(file, 'utf8')}`
}
