import {
  GetAlertInput,
  GetCaseInput,
  GetLogInput,
  ListAlertsInput,
  ListCasesInput,
} from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const getLog = (functions: ToolFunctions) =>
  defineTool({
    name: 'get_log',
    title: 'One log event',
    description: 'A log event with all its fields.',
    input: GetLogInput,
    effect: 'reads',
    permissions: ['siem:read'],
    run: async ({ log_id }) => ({ log: await functions.readLog(log_id) }),
    shows: ({ log }) => [log.id],
  })

export const getAlert = (functions: ToolFunctions) =>
  defineTool({
    name: 'get_alert',
    title: 'One alert',
    description: 'An alert with its indicators, techniques, rule and case.',
    input: GetAlertInput,
    effect: 'reads',
    permissions: ['alerts:read'],
    run: async ({ alert_id }, { db }) => ({ alert: await functions.readAlert(db, alert_id) }),
    shows: ({ alert: { id, case_id, rule_id } }) =>
      [id, case_id, rule_id].filter((one) => one !== null),
  })

export const listAlerts = (functions: ToolFunctions) =>
  defineTool({
    name: 'list_alerts',
    title: 'List alerts',
    description: 'The newest alerts, by severity, status, source, host, time or words in them.',
    input: ListAlertsInput,
    effect: 'reads',
    permissions: ['alerts:read'],
    async run(filter) {
      const { items, total } = await functions.listAlerts(filter)
      return { total, alerts: items }
    },
    shows: ({ alerts }) =>
      alerts.flatMap(({ id, case_id }) => (case_id === null ? [id] : [id, case_id])),
  })

export const getCase = (functions: ToolFunctions) =>
  defineTool({
    name: 'get_case',
    title: 'One case',
    description: 'A case with its alerts, timeline, observables, evidence, comments and tasks.',
    input: GetCaseInput,
    effect: 'reads',
    permissions: ['cases:read'],
    run: async ({ case_id }, { db }) => ({ case: await functions.readCase(db, case_id) }),
    shows: ({ case: { id, alert_ids } }) => [id, ...alert_ids],
  })

export const listCases = (functions: ToolFunctions) =>
  defineTool({
    name: 'list_cases',
    title: 'List cases',
    description: 'The newest cases, by status, severity, assignee or words in them.',
    input: ListCasesInput,
    effect: 'reads',
    permissions: ['cases:read'],
    async run(filter) {
      const { items, total } = await functions.listCases(filter)
      return { total, cases: items }
    },
    shows: ({ cases }) => cases.flatMap(({ id, alert_ids }) => [id, ...alert_ids]),
  })
