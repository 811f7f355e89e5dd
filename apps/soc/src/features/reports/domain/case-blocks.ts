import type { Alert } from '@manara/soc-contract/alerts'
import { Severity } from '@manara/soc-contract/severity'
import { barChart } from './charts.ts'
import { type Block, facts, heading, paragraph, table } from './document.ts'
import { type CaseMaterial, MOST, type ResponseAction } from './material.ts'
import { clock, duration } from './moments.ts'

const COLOURS: Record<Severity, string> = {
  critical: '#9b1c31',
  high: '#d9480f',
  medium: '#e8a20c',
  low: '#3b82c4',
  info: '#8896a6',
}

export function caseFacts({ detail, alerts, ledger }: CaseMaterial): Block {
  return facts(
    ['Case', detail.id],
    ['Severity', detail.severity],
    ['Status', detail.status],
    ['Assignee', detail.assignee ?? 'nobody'],
    ['Opened', `${clock(detail.created_at)} by ${detail.created_by}`],
    [
      'Last change',
      `${clock(detail.updated_at)} (${duration(detail.created_at, detail.updated_at)} later)`,
    ],
    ['Alerts', String(alerts.length)],
    ['Evidence', `${detail.evidence.length}, ledger ${ledger.valid ? 'verified' : 'NOT VALID'}`],
  )
}

export function severityChart(counts: Record<Severity, number>): Block {
  const title = 'Alerts by severity'
  const bars = Severity.options.map((severity) => ({
    label: severity,
    value: counts[severity],
    colour: COLOURS[severity],
  }))
  return { kind: 'chart', title, svg: barChart(title, bars) }
}

export function severityOfAlerts({ alerts }: CaseMaterial): Record<Severity, number> {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const { severity } of alerts) counts[severity] += 1
  return counts
}

/** The case's own timeline with the events and the alerts at the time they happened. */
export function timeline({ detail, alerts, events, areEventsCut }: CaseMaterial): Block[] {
  const noted = detail.timeline.map(({ timestamp, agent, action }) => ({
    at: timestamp,
    who: agent,
    what: action,
  }))
  const seen = alerts.map((alert) => ({
    at: alert.first_seen_at,
    who: alert.source,
    what: `alert (${alert.severity}): ${alert.title}${where(alert)}`,
  }))
  const happened = events.map(({ at, host, user, process, what }) => ({
    at,
    who: [host, user].filter(Boolean).join(', '),
    what: process ? `${process}: ${what}` : what,
  }))
  const rows = [...noted, ...seen, ...happened]
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map(({ at, who, what }) => [clock(at), who, what])
  const cut = `Not every event behind the alerts is in this report: at most ${MOST.eventsOfAlert} of one alert, and those of the first alerts once there are ${MOST.events}.`
  return [
    heading('Timeline'),
    ...(areEventsCut ? [paragraph(cut)] : []),
    table(['Time (UTC)', 'Who', 'What'], rows, 'Nothing was noted.'),
  ]
}

/** Titles often name the host themselves. */
const where = ({ host, title }: Pick<Alert, 'host' | 'title'>) =>
  host && !title.includes(host) ? ` on ${host}` : ''

export function eventTable({ events }: CaseMaterial): Block[] {
  return [
    heading('Events'),
    table(
      ['Time (UTC)', 'Host', 'User', 'Process', 'Command line or message'],
      events.map(({ at, host, user, process, what }) => [clock(at), host, user, process, what]),
      'No event behind the alerts is stored.',
    ),
  ]
}

export function attack({ techniques }: CaseMaterial): Block[] {
  return [
    heading('MITRE ATT&CK'),
    table(
      ['Technique', 'Name', 'Tactics', 'Alerts'],
      techniques.map(({ id, name, tactics, alerts }) => [
        id,
        name,
        tactics.join(', '),
        String(alerts),
      ]),
      'No alert of this case names a technique.',
    ),
  ]
}

export function evidence({ detail }: CaseMaterial): Block[] {
  return [
    heading('Evidence'),
    table(
      ['Name', 'Type', 'SHA-256', 'Location', 'Custody'],
      detail.evidence.map((piece) => [
        piece.name,
        piece.evidence_type,
        piece.sha256,
        piece.location ?? piece.storage_url ?? '',
        piece.custody_entries.map(({ action, actor }) => `${action} by ${actor}`).join('; '),
      ]),
      'No evidence was registered.',
    ),
  ]
}

export function ledgerVerdict({ ledger }: Pick<CaseMaterial, 'ledger'>): Block[] {
  const bad = ledger.first_bad
  return [
    heading('Evidence ledger'),
    paragraph(
      bad
        ? `The ledger is NOT VALID: entry ${bad.seq} of case ${bad.case_id}: ${bad.reason}. Do not rely on the evidence before this is explained.`
        : `All ${ledger.entries} entries were recomputed when this report was made, and each fits the one before it.`,
    ),
    table(
      ['Case', 'Entries', 'Head', 'Verdict'],
      ledger.chains.map((chain) => [
        chain.case_id,
        String(chain.entries),
        chain.head,
        chain.valid ? 'valid' : 'not valid',
      ]),
      'There is no chain.',
    ),
  ]
}

export function response(actions: ResponseAction[]): Block[] {
  const listed = actions.slice(-MOST.actions)
  const cut = `Only the latest ${MOST.actions} are listed.`
  return [
    heading('Response'),
    ...(actions.length > MOST.actions ? [paragraph(cut)] : []),
    table(
      ['Time (UTC)', 'What', 'By', 'Status'],
      listed.map(({ at, what, by, status }) => [clock(at), what, by, status]),
      'No playbook was run, no approval asked for and no endpoint ordered.',
    ),
  ]
}
