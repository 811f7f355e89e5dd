import type { Migration } from 'kysely/migration'
import { identity } from './migrations/001-identity.ts'
import { audit } from './migrations/002-audit.ts'
import { outbox } from './migrations/003-outbox.ts'
import { rateBudgets } from './migrations/004-rate-budgets.ts'
import { cases } from './migrations/100-cases.ts'
import { evidenceLedger } from './migrations/101-evidence-ledger.ts'
import { alerts } from './migrations/110-alerts.ts'
import { alertCounts } from './migrations/111-alert-counts.ts'
import { hunts } from './migrations/120-hunts.ts'
import { detections } from './migrations/130-detections.ts'
import { detectionContent } from './migrations/135-detection-content.ts'
import { approvals } from './migrations/140-approvals.ts'
import { playbooks } from './migrations/141-playbooks.ts'
import { executions } from './migrations/142-executions.ts'
import { edr } from './migrations/150-edr.ts'
import { iocs } from './migrations/160-iocs.ts'
import { alertHours } from './migrations/170-alert-hours.ts'
import { reports } from './migrations/171-reports.ts'
import { investigations } from './migrations/180-investigations.ts'
import { agents } from './migrations/181-agents.ts'
import { proposals } from './migrations/182-proposals.ts'
import { sites } from './migrations/183-sites.ts'
import { approvalWaits } from './migrations/184-approval-waits.ts'
import { alertLife } from './migrations/190-alert-life.ts'
import { collectorsAndTargets } from './migrations/191-collectors-and-targets.ts'
import { lateEvents } from './migrations/192-late-events.ts'
import { arrivals } from './migrations/200-arrivals.ts'
import { toldCaps } from './migrations/201-told-caps.ts'
import { ruleSources } from './migrations/202-rule-sources.ts'
import { partsOfWords } from './migrations/203-parts-of-words.ts'
import { severityBeforeMerge } from './migrations/204-severity-before-merge.ts'
import { cps } from './migrations/210-cps.ts'
import { cpsDelivery } from './migrations/211-cps-delivery.ts'
import { cpsMetrics } from './migrations/212-cps-metrics.ts'
import { firmware } from './migrations/220-firmware.ts'
import { runningFirmware } from './migrations/221-running-firmware.ts'
import { correlations } from './migrations/222-correlations.ts'
import { discovery } from './migrations/223-discovery.ts'
import { noTokenKey } from './migrations/240-no-token-key.ts'
import { frozenApprovals } from './migrations/241-frozen-approvals.ts'
import { proofs } from './migrations/242-proofs.ts'
import { caseAccess } from './migrations/243-case-access.ts'
import { userIds } from './migrations/250-user-ids.ts'
import { signInPlaces } from './migrations/251-sign-in-places.ts'
import { secondFactors } from './migrations/252-second-factors.ts'
import { providerAccounts } from './migrations/253-provider-accounts.ts'
import { auditActorId } from './migrations/254-audit-actor-id.ts'
import { importHashes } from './migrations/258-import-hashes.ts'
import { secrets } from './migrations/259-secrets.ts'
import { twoPeople } from './migrations/259-two-people.ts'
import { sourceHealth } from './migrations/260-source-health.ts'
import { ownParsers } from './migrations/261-own-parsers.ts'
import { demonstration } from './migrations/264-demonstration.ts'
import { reparses } from './migrations/265-reparses.ts'
import { alertsTogether } from './migrations/266-alerts-together.ts'
import { foldWhatChanged } from './migrations/267-fold-what-changed.ts'
import { alertsAtOnce } from './migrations/268-alerts-at-once.ts'
import { rareParts } from './migrations/269-rare-parts.ts'
import { agentBacklog } from './migrations/270-agent-backlog.ts'
import { actorOfAnEntry } from './migrations/271-actor-of-an-entry.ts'
import { subtreesOfTheLog } from './migrations/272-subtrees-of-the-log.ts'
import { approversOfExecutions } from './migrations/273-approvers-of-executions.ts'
import { keysOfDevices } from './migrations/274-keys-of-devices.ts'
import { eraseCopies } from './migrations/275-erase-copies.ts'
import { changedLedgers } from './migrations/276-changed-ledgers.ts'
import { executionsOfAlerts } from './migrations/277-executions-of-alerts.ts'
import { casesOfApprovals } from './migrations/278-cases-of-approvals.ts'
import { budgetsAndTheClock } from './migrations/279-budgets-and-the-clock.ts'
import { whatIsKeptAndWhatEnds } from './migrations/281-what-is-kept-and-what-ends.ts'
import { readAgain } from './migrations/282-read-again.ts'
import { assigneesAsTheySpellIt } from './migrations/283-assignees-as-they-spell-it.ts'
import { newAndNewAgain } from './migrations/284-new-and-new-again.ts'
import { wordsWhenRestored } from './migrations/285-words-when-restored.ts'
import { largeStores } from './migrations/286-large-stores.ts'
import { sourceOfTheDemonstration } from './migrations/287-source-of-the-demonstration.ts'
import { casesOfProposals } from './migrations/288-cases-of-proposals.ts'

/** Applied in order of their names, each once. Append; never edit one that has shipped. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-identity': identity,
  '002-audit': audit,
  '003-outbox': outbox,
  '004-rate-budgets': rateBudgets,
  '100-cases': cases,
  '101-evidence-ledger': evidenceLedger,
  '110-alerts': alerts,
  '111-alert-counts': alertCounts,
  '120-hunts': hunts,
  '130-detections': detections,
  '135-detection-content': detectionContent,
  '140-approvals': approvals,
  '141-playbooks': playbooks,
  '142-executions': executions,
  '150-edr': edr,
  '160-iocs': iocs,
  '170-alert-hours': alertHours,
  '171-reports': reports,
  '180-investigations': investigations,
  '181-agents': agents,
  '182-proposals': proposals,
  '183-sites': sites,
  '184-approval-waits': approvalWaits,
  '190-alert-life': alertLife,
  '191-collectors-and-targets': collectorsAndTargets,
  '192-late-events': lateEvents,
  '200-arrivals': arrivals,
  '201-told-caps': toldCaps,
  '202-rule-sources': ruleSources,
  '203-parts-of-words': partsOfWords,
  '204-severity-before-merge': severityBeforeMerge,
  '210-cps': cps,
  '211-cps-delivery': cpsDelivery,
  '212-cps-metrics': cpsMetrics,
  '220-firmware': firmware,
  '221-running-firmware': runningFirmware,
  '222-correlations': correlations,
  '223-discovery': discovery,
  '240-no-token-key': noTokenKey,
  '241-frozen-approvals': frozenApprovals,
  '242-proofs': proofs,
  '243-case-access': caseAccess,
  '250-user-ids': userIds,
  '251-sign-in-places': signInPlaces,
  '252-second-factors': secondFactors,
  '253-provider-accounts': providerAccounts,
  '254-audit-actor-id': auditActorId,
  '258-import-hashes': importHashes,
  '259-secrets': secrets,
  '259-two-people': twoPeople,
  '260-source-health': sourceHealth,
  '261-own-parsers': ownParsers,
  '264-demonstration': demonstration,
  '265-reparses': reparses,
  '266-alerts-together': alertsTogether,
  '267-fold-what-changed': foldWhatChanged,
  '268-alerts-at-once': alertsAtOnce,
  '269-rare-parts': rareParts,
  '270-agent-backlog': agentBacklog,
  '271-actor-of-an-entry': actorOfAnEntry,
  '272-subtrees-of-the-log': subtreesOfTheLog,
  '273-approvers-of-executions': approversOfExecutions,
  '274-keys-of-devices': keysOfDevices,
  '275-erase-copies': eraseCopies,
  '276-changed-ledgers': changedLedgers,
  '277-executions-of-alerts': executionsOfAlerts,
  '278-cases-of-approvals': casesOfApprovals,
  '279-budgets-and-the-clock': budgetsAndTheClock,
  '281-what-is-kept-and-what-ends': whatIsKeptAndWhatEnds,
  '282-read-again': readAgain,
  '283-assignees-as-they-spell-it': assigneesAsTheySpellIt,
  '284-new-and-new-again': newAndNewAgain,
  '285-words-when-restored': wordsWhenRestored,
  '286-large-stores': largeStores,
  '287-source-of-the-demonstration': sourceOfTheDemonstration,
  '288-cases-of-proposals': casesOfProposals,
}
