import { randomUUID } from 'node:crypto'
import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { literalCriterion } from '@manara/soc-contract/literal-criterion'
import { createWorkers } from '../db/worker.ts'
import type { DevicesOf } from '../features/agents/investigation/gather/look-around.ts'
import { createApprovalGate } from '../features/agents/jobs/approval-gate.ts'
import { createCaseKeeper } from '../features/agents/jobs/case-keeper.ts'
import { createCorrelation } from '../features/agents/jobs/correlation.ts'
import { createCpsGuard } from '../features/agents/jobs/cps-guard.ts'
import { createDetectionTuner } from '../features/agents/jobs/detection-tuner.ts'
import { createEdrResponder } from '../features/agents/jobs/edr-responder.ts'
import { createEnrichment } from '../features/agents/jobs/enrichment.ts'
import { createIdentityGuard } from '../features/agents/jobs/identity-guard.ts'
import { createMalwareAnalyst } from '../features/agents/jobs/malware-analyst.ts'
import { createNetworkAnalyst } from '../features/agents/jobs/network-analyst.ts'
import { createPlaybookResponder } from '../features/agents/jobs/playbook-responder.ts'
import { createReporter, type ReporterDeps } from '../features/agents/jobs/reporter.ts'
import { createSupervisor } from '../features/agents/jobs/supervisor.ts'
import { createThreatHunter, type HunterDeps } from '../features/agents/jobs/threat-hunter.ts'
import { createTriage, type QuickInvestigation } from '../features/agents/jobs/triage.ts'
import { createVulnerabilityAnalyst } from '../features/agents/jobs/vulnerability-analyst.ts'
import type {
  PlaybookFunctions,
  ProposalFunctions,
} from '../features/agents/proposals/functions.ts'
import { onDecided } from '../features/agents/proposals/on-decided.ts'
import { proposalRoutes } from '../features/agents/proposals/proposals.routes.ts'
import { createAgentRunner } from '../features/agents/queue/agent-runner.ts'
import type { Agents } from '../features/agents/queue/agent-work.ts'
import { runTimers } from '../features/agents/queue/run-timers.ts'
import { tidyJobs } from '../features/agents/queue/tidy-jobs.ts'
import { watchEvents } from '../features/agents/queue/watch-events.ts'
import { agentRoutes } from '../features/agents/registry/agents.routes.ts'
import { agentById, agentNamesAt } from '../features/agents/registry/agents.store.ts'
import { markTriaged } from '../features/alerts/mark-triaged.ts'
import { updateAlert } from '../features/alerts/update-alert.ts'
import type { OnDecided } from '../features/approvals/decide-approval.ts'
import { requestApproval } from '../features/approvals/request-approval.ts'
import { consumeProposal, withdrawApproval } from '../features/approvals/use-approval.ts'
import { addComment } from '../features/cases/parts/add-comment.ts'
import { addObservable } from '../features/cases/parts/add-observable.ts'
import { addTask } from '../features/cases/parts/add-task.ts'
import { updateTask } from '../features/cases/parts/update-task.ts'
import { fieldText } from '../features/detections/domain/field-text.ts'
import { withdrawFeedback } from '../features/detections/feedback/give-feedback.ts'
import {
  createSuppression,
  deleteSuppression,
} from '../features/detections/suppressions/change-suppressions.ts'
import { instanceOf } from '../features/playbooks/executions/claim/instance.ts'
import { huntSelection } from '../features/siem/hunts/hunt-selection.ts'
import { siteById } from '../features/sites/sites.store.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'
import type { composeEdr } from './edr.ts'
import type { composeIocs } from './iocs.ts'
import type { composeRecords } from './records.ts'

const POLL_MS = 1_000
const TIDY_MS = 600_000
const LEASE_MS = 15_000

/** A site stays while an agent is deployed there. */
export const deployedAgents = { what: 'agent', namesAt: agentNamesAt }

type AgentNeeds = {
  leaseMs: number | undefined
  logs: LogStore
  records: ReturnType<typeof composeRecords>
  edr: ReturnType<typeof composeEdr>
  iocs: ReturnType<typeof composeIocs>
  giveFeedback: ProposalFunctions['giveVerdict']
  backtest: HunterDeps['backtest']
  investigate: QuickInvestigation
  playbooks: PlaybookFunctions
  prepareReport: ReporterDeps['prepareReport']
  wakeExecutions(): void
  devicesOf: DevicesOf
}

/** The agents, their queue, and the proposals they make. */
export function composeAgents(platform: Platform, needs: AgentNeeds) {
  const { config, database, db, mode, log, notifications } = platform
  const { operatorChange, internalWorkflow, readThrough } = platform
  const { logs, records, edr, iocs } = needs
  const { raiseAlert } = records
  const now = Date.now
  const functions: ProposalFunctions = {
    ...needs.playbooks,
    blockIndicators: iocs.blockIndicators,
    unblockIndicators: iocs.unblockIndicators,
    requestEndpointAction: edr.requestEndpointAction,
    openCase: records.openCase,
    readCase: ({ tx }, id) => records.caseDetail(tx, id),
    deleteCase: records.deleteCase,
    linkAlert: records.linkAlert,
    releaseAlerts: records.releaseAlerts,
    mergeCases: records.mergeCases,
    unmergeCases: records.unmergeCases,
    ...{ addTask, updateTask, raiseAlert, updateAlert, deleteSuppression },
    createSuppression: (change, id, body) => createSuppression(change, id, body, now()),
    giveVerdict: needs.giveFeedback,
    withdrawVerdicts: withdrawFeedback,
    ...{ requestApproval, consumeProposal, withdrawApproval },
  }

  const findIndicator = (value: string) => iocs.findIndicator(value)
  const agents: Agents = {
    'agent-001': createTriage({
      findIndicator,
      markTriaged,
      investigate: needs.investigate,
      criticalityOf: async (tx, id) => (await siteFacts(tx, id))?.profile.criticality ?? null,
    }),
    'agent-002': createEnrichment({
      findIndicator,
      siteName: async (tx, id) => (await siteFacts(tx, id))?.name ?? null,
    }),
    'agent-003': createCorrelation(),
    'agent-004': createThreatHunter({
      selectionOf: (hunt) => huntSelection(hunt, {}, now()),
      backtest: needs.backtest,
    }),
    'agent-005': createDetectionTuner({ fieldText, literalCriterion }),
    'agent-006': createCaseKeeper({ addObservable, addTask, addComment }),
    'agent-007': createPlaybookResponder(functions),
    'agent-008': createEdrResponder(),
    'agent-009': createIdentityGuard(),
    'agent-010': createNetworkAnalyst(),
    'agent-011': createMalwareAnalyst({ findIndicator }),
    'agent-012': createVulnerabilityAnalyst(),
    'agent-013': createCpsGuard({ devicesOf: needs.devicesOf }),
    'agent-014': createReporter({ prepareReport: needs.prepareReport }),
    'agent-015': createSupervisor({ raiseAlert }),
    'agent-016': createApprovalGate(functions),
  }

  const instance = instanceOf(config.dataDir)
  const isReady = () => config.hasAgents && mode.runsPipelines && database.isAvailable()
  const runner = createAgentRunner({
    ...{ db, logs, agents, instance, isReady, internalWorkflow, now, log },
    standsBack: platform.isHurried,
    owner: `${instance}/${randomUUID()}`,
    leaseMs: needs.leaseMs ?? LEASE_MS,
  })
  const wakeAgents = () => {
    runner.wake()
    notifications.tell('soc_agents')
  }
  const workers = createWorkers({ isReady, log })
  const watcher = workers.add({
    async pass() {
      const isMoreLeft = await watchEvents({ db, agents, internalWorkflow, log })
      wakeAgents()
      return isMoreLeft
    },
    pollMs: POLL_MS,
    gapMs: 40,
    standsBack: platform.isHurried,
  })
  workers.add({ pass: () => runTimers(db, agents), pollMs: POLL_MS, gapMs: POLL_MS })
  workers.add({ pass: () => tidyJobs(db), pollMs: TIDY_MS, gapMs: TIDY_MS })
  notifications.on('soc_numbered', watcher.wake)
  notifications.on('soc_agents', runner.wake)

  const decided: OnDecided = (change, approval) => onDecided(functions, change, approval)
  return {
    onDecided: decided,
    /** Whether it may call a tool. */
    async stateOf(id: string) {
      const { status, is_paused } = await agentById(db, id)
      return is_paused ? 'paused' : status === 'disabled' ? 'disabled' : 'on'
    },
    routes(api: Http) {
      agentRoutes(api, {
        ...{ db, operatorChange, readThrough, wakeAgents },
        siteById: (tx, id) => siteById(tx, id, 'against-removal'),
      })
      proposalRoutes(api, {
        ...{ db, logs, functions, operatorChange, readThrough },
        wakeExecutions: needs.wakeExecutions,
      })
    },
    start() {
      runner.start()
      workers.start()
    },
    async stop() {
      await Promise.all([runner.stop(), workers.stop()])
    },
  }
}

/** A record may name a site that is not kept here. */
const siteFacts = (tx: Platform['db'], id: string) =>
  siteById(tx, id).catch((error) => {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  })
