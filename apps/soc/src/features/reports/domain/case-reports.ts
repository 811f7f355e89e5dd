import {
  attack,
  caseFacts,
  eventTable,
  evidence,
  ledgerVerdict,
  response,
  severityChart,
  severityOfAlerts,
  timeline,
} from './case-blocks.ts'
import { type Block, heading, paragraph, table } from './document.ts'
import { type CaseMaterial, MOST, type ResponseAction } from './material.ts'
import { clock } from './moments.ts'

/** For the one who goes on with the case: everything, in the order in which it is asked for. */
export function investigation(material: CaseMaterial): Block[] {
  return [
    caseFacts(material),
    ...description(material),
    severityChart(severityOfAlerts(material)),
    ...alertTable(material),
    ...timeline(material),
    ...eventTable(material),
    ...attack(material),
    ...observables(material),
    ...response(material.actions),
    ...tasks(material),
    ...comments(material),
    ...evidence(material),
    ...ledgerVerdict(material),
  ]
}

/** For those who decide: what happened, how bad it is, what was done, what is left. */
export function executive(material: CaseMaterial): Block[] {
  const { detail, alerts } = material
  const hosts = new Set(alerts.flatMap(({ host }) => host ?? []))
  const open = detail.tasks.filter(({ status }) => status !== 'done' && status !== 'cancelled')
  return [
    caseFacts(material),
    ...description(material),
    heading('Extent'),
    paragraph(
      `${alerts.length} alerts on ${hosts.size} hosts; ${material.techniques.length} known techniques; ${countOf(material.actions)} response actions; ${open.length} tasks still open.`,
    ),
    severityChart(severityOfAlerts(material)),
    ...attack(material),
    ...response(material.actions),
    heading('Still to do'),
    table(
      ['Task', 'Status', 'Assignee'],
      open.map((task) => [task.title, task.status, task.assignee ?? 'nobody']),
      'No task is open.',
    ),
  ]
}

/** For an auditor: who held what, who approved what, and whether the records can be believed. */
export function compliance(material: CaseMaterial): Block[] {
  return [
    caseFacts(material),
    ...ledgerVerdict(material),
    ...evidence(material),
    heading('Chain of custody'),
    table(
      ['Entry', 'Time (UTC)', 'Action', 'Actor', 'Evidence', 'Hash'],
      material.detail.evidence
        .flatMap((piece) => piece.custody_entries.map((entry) => ({ piece, entry })))
        .sort((a, b) => a.entry.seq - b.entry.seq)
        .map(({ piece, entry }) => [
          String(entry.seq),
          clock(entry.timestamp),
          entry.action,
          entry.actor,
          piece.name,
          entry.entry_hash,
        ]),
      'The ledger has no entries.',
    ),
    ...response(material.actions),
    ...timeline(material),
  ]
}

const countOf = ({ length }: ResponseAction[]) =>
  length > MOST.actions ? `more than ${MOST.actions}` : length

function description({ detail }: CaseMaterial): Block[] {
  return detail.description ? [heading('Summary'), paragraph(detail.description)] : []
}

function alertTable({ alerts }: CaseMaterial): Block[] {
  return [
    heading('Alerts'),
    table(
      ['First seen (UTC)', 'Severity', 'Title', 'Host', 'Source', 'Times', 'Status'],
      alerts.map((alert) => [
        clock(alert.first_seen_at),
        alert.severity,
        alert.title,
        alert.host ?? '',
        alert.source,
        String(alert.occurrence_count),
        alert.status,
      ]),
      'No alert is linked.',
    ),
  ]
}

function observables({ detail }: CaseMaterial): Block[] {
  return [
    heading('Observables'),
    table(
      ['Type', 'Value', 'Source', 'Tags'],
      detail.observables.map((one) => [one.type, one.value, one.source ?? '', one.tags.join(', ')]),
      'None was added.',
    ),
  ]
}

function tasks({ detail }: CaseMaterial): Block[] {
  return [
    heading('Tasks'),
    table(
      ['Task', 'Status', 'Assignee'],
      detail.tasks.map((task) => [task.title, task.status, task.assignee ?? '']),
      'None was set.',
    ),
  ]
}

function comments({ detail }: CaseMaterial): Block[] {
  return [
    heading('Comments'),
    table(
      ['Time (UTC)', 'Author', 'Comment'],
      detail.comments.map((comment) => [clock(comment.created_at), comment.author, comment.body]),
      'Nobody commented.',
    ),
  ]
}
