import * as agents from '@manara/soc-contract/agents'
import * as alertEvents from '@manara/soc-contract/alert-events'
import * as alerts from '@manara/soc-contract/alerts'
import * as approvals from '@manara/soc-contract/approvals'
import * as audit from '@manara/soc-contract/audit'
import * as auth from '@manara/soc-contract/auth'
import * as cases from '@manara/soc-contract/cases'
import * as chat from '@manara/soc-contract/chat'
import * as correlations from '@manara/soc-contract/correlations'
import * as cps from '@manara/soc-contract/cps'
import * as demonstration from '@manara/soc-contract/demonstration'
import * as detectionContent from '@manara/soc-contract/detection-content'
import * as detections from '@manara/soc-contract/detections'
import * as deviceLogs from '@manara/soc-contract/device-logs'
import * as discovery from '@manara/soc-contract/discovery'
import * as edr from '@manara/soc-contract/edr'
import * as evidence from '@manara/soc-contract/evidence'
import * as firmware from '@manara/soc-contract/firmware'
import * as hunts from '@manara/soc-contract/hunts'
import * as investigation from '@manara/soc-contract/investigation'
import * as iocs from '@manara/soc-contract/iocs'
import * as parsers from '@manara/soc-contract/parsers'
import * as permissions from '@manara/soc-contract/permissions'
import * as playbooks from '@manara/soc-contract/playbooks'
import * as proofs from '@manara/soc-contract/proofs'
import * as proposals from '@manara/soc-contract/proposals'
import * as reparse from '@manara/soc-contract/reparse'
import * as reports from '@manara/soc-contract/reports'
import * as ruleFeedback from '@manara/soc-contract/rule-feedback'
import * as secrets from '@manara/soc-contract/secrets'
import * as severity from '@manara/soc-contract/severity'
import * as siem from '@manara/soc-contract/siem'
import * as siemAggregate from '@manara/soc-contract/siem-aggregate'
import * as siemIngest from '@manara/soc-contract/siem-ingest'
import * as siemRetention from '@manara/soc-contract/siem-retention'
import * as sites from '@manara/soc-contract/sites'
import * as stats from '@manara/soc-contract/stats'
import * as suppressions from '@manara/soc-contract/suppressions'
import * as system from '@manara/soc-contract/system'
import * as tools from '@manara/soc-contract/tools'
import * as users from '@manara/soc-contract/users'
import { z } from 'zod'

/** A module of the contract whose schemas are to have a name in the OpenAPI document is listed here. */
const MODULES: Record<string, unknown>[] = [
  ...[agents, alertEvents, alerts, approvals, audit, auth, cases, chat, correlations, cps],
  ...[
    demonstration,
    detectionContent,
    detections,
    suppressions,
    ruleFeedback,
    deviceLogs,
    discovery,
    edr,
    evidence,
    firmware,
    hunts,
    investigation,
  ],
  ...[iocs, permissions, playbooks, proposals, reports, severity, siem, siemAggregate, siemIngest],
  ...[siemRetention, parsers, proofs, reparse, secrets, sites, stats, system, tools, users],
]

/** What stands in the address or in headers is listed with the route, parameter by parameter. */
const NO_BODY = /(Query|Params|Headers)$/

/** Every schema of a body under the name by which the contract exports it, the first one wins. */
export function nameSchemas(): void {
  const taken = new Set<string>()
  for (const [exported, schema] of MODULES.flatMap((module) => Object.entries(module))) {
    // What is sent may differ from what is answered, by defaults: it is then called …Input.
    const name = exported.replace(/Input$/, 'Arguments')
    if (!(schema instanceof z.ZodType) || NO_BODY.test(name) || taken.has(name)) continue
    taken.add(name)
    if (z.globalRegistry.get(schema)?.id === undefined) {
      z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id: name })
    }
  }
}
