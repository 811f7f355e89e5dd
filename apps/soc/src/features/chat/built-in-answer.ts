import type { Alert } from '@manara/soc-contract/alerts'
import type { AuditRecord } from '@manara/soc-contract/audit'
import { type Case, type CaseDetail, CaseStatus } from '@manara/soc-contract/cases'
import type { LookingAt } from '@manara/soc-contract/chat'
import type { Log, LogList } from '@manara/soc-contract/siem'
import type { ToolEnvelope } from '@manara/soc-contract/tools'
import type { Ask } from './domain/ask.ts'
import { readQuestion } from './domain/intent.ts'
import { linkTo, plain } from './domain/plain.ts'
import type { SuchAlerts } from './domain/such-alerts.ts'
import { type Previews, previewAction } from './preview-action.ts'

const SHOWN_ALERTS = 10

const HELP = `You can ask:
- what happened on host NAME, to user NAME or at an address, in the last 2 hours
- explain alert ID, or case ID
- new alerts, how many high alerts are open on NAME, open cases
- who did what, or who changed ID
- search QUERY, such as search host:web-1 AND "failed password"
- explain this, who changed this, what happened on this host: about what stands open
- isolate this host, block ADDRESS, disable account NAME, open a case, run playbook NAME: shows what can be proposed
`

/** From stored records alone, the same for the same records: one line at a time. */
export async function* builtInAnswer(
  asked: { text: string; at: LookingAt; now: number },
  ask: Ask,
  previews: Previews,
): AsyncIterable<string> {
  const { intent, from } = readQuestion(asked.text, asked.now, asked.at)
  switch (intent.kind) {
    case 'act':
      return yield* previewAction(intent.wish, asked.at, ask, previews)
    case 'log':
      return yield* aboutLog(await ask('get_log', { log_id: intent.id }))
    case 'host-of':
      return yield* aboutHostOf(await ask('get_alert', { alert_id: intent.alertId }), from, ask)
    case 'alert':
      return yield* aboutAlert(await ask('get_alert', { alert_id: intent.id }))
    case 'case':
      return yield* aboutCase(await ask('get_case', { case_id: intent.id }))
    case 'entity':
      return yield* aboutEntity(intent, from, ask)
    case 'search':
      return yield* found(
        await ask('search_logs', { query: intent.query, from: from.toISOString(), limit: 10 }),
        from,
      )
    case 'open-cases':
      return yield* openCases(ask)
    case 'new-alerts':
      return yield* newAlerts(await ask('list_alerts', { from: from.toISOString(), limit: 10 }))
    case 'such-alerts':
      return yield* suchAlerts(intent.such, from, ask)
    case 'who-did':
      return yield* whoDid(
        await ask('audit_trail', {
          ...(intent.target ? { about: intent.target } : {}),
          from: from.toISOString(),
        }),
        from,
      )
    case 'help':
      yield HELP
  }
}

function* refused({ error }: ToolEnvelope): Iterable<string> {
  yield `I cannot tell: ${plain(error ?? 'it failed', 300)}.\n`
}

const isRefused = ({ error_code }: ToolEnvelope) => error_code !== null

function* aboutAlert(answer: ToolEnvelope): Iterable<string> {
  if (isRefused(answer)) return yield* refused(answer)
  const alert = answer.alert as Alert
  yield `${linkTo('alerts', alert.id, alert.title)} is ${alert.severity} and ${alert.status}.\n`
  if (alert.description) yield `${plain(alert.description, 500)}\n`
  const seen = alert.occurrence_count > 1 ? `${alert.occurrence_count} times` : 'once'
  yield `Seen ${seen}, from ${alert.first_seen_at} to ${alert.last_seen_at}, by ${plain(alert.source)}${alert.host ? ` on ${plain(alert.host)}` : ''}.\n`
  if (alert.mitre_techniques.length > 0) {
    yield `Techniques: ${alert.mitre_techniques.map((one) => plain(one)).join(', ')}.\n`
  }
  if (alert.iocs.length > 0) {
    yield `Indicators: ${alert.iocs
      .slice(0, 10)
      .map((one) => plain(one, 100))
      .join(', ')}.\n`
  }
  if (alert.case_id) yield `It belongs to ${linkTo('cases', alert.case_id, 'this case')}.\n`
}

function* aboutCase(answer: ToolEnvelope): Iterable<string> {
  if (isRefused(answer)) return yield* refused(answer)
  const one = answer.case as CaseDetail
  yield `${linkTo('cases', one.id, one.title)} is ${one.severity} and ${one.status}${one.assignee ? `, with ${plain(one.assignee)}` : ''}.\n`
  yield `${one.alert_ids.length} alerts, ${one.observables.length} observables, ${one.evidence.length} pieces of evidence, ${one.tasks.filter(isLeft).length} tasks left.\n`
  for (const { timestamp, agent, action } of one.timeline.slice(-5)) {
    yield `- ${timestamp} ${plain(agent)}: ${plain(action)}\n`
  }
}

const isLeft = ({ status }: CaseDetail['tasks'][number]) =>
  status !== 'done' && status !== 'cancelled'

function* aboutLog(answer: ToolEnvelope): Iterable<string> {
  if (isRefused(answer)) return yield* refused(answer)
  const log = answer.log as Log
  yield `${linkTo('siem/logs', log.id, log.message || '(no message)')}\n`
  const where = [log.source, log.host && `on ${log.host}`, log.user && `by ${log.user}`]
  yield `${log.timestamp}, ${plain(where.filter(Boolean).join(', '))}.\n`
}

async function* aboutHostOf(answer: ToolEnvelope, from: Date, ask: Ask): AsyncIterable<string> {
  if (isRefused(answer)) return yield* refused(answer)
  const { host } = answer.alert as Alert
  if (!host) return yield 'This alert names no host.\n'
  yield* aboutEntity({ what: 'host', name: host }, from, ask)
}

async function* aboutEntity(
  { what, name }: { what: 'host' | 'user' | 'address'; name: string },
  from: Date,
  ask: Ask,
): AsyncIterable<string> {
  const answer = await ask('timeline', { [what]: name, from: from.toISOString(), limit: 20 })
  if (isRefused(answer)) return yield* refused(answer)
  yield* partOnly(answer)
  const entries = answer.entries as {
    at: string
    kind: string
    what: string
    severity: string | null
    id: string | null
  }[]
  if (entries.length === 0) {
    return yield `Nothing is stored about ${what} ${plain(name)} since ${from.toISOString()}.\n`
  }
  yield `The last ${entries.length}${ofAll(answer, entries.length)} entries about ${what} ${plain(name)} since ${from.toISOString()}:\n`
  for (const entry of entries) {
    const said = entry.what || '(no message)'
    const kind = entry.kind === 'alert' ? 'alerts' : 'siem/logs'
    const told = entry.id ? linkTo(kind, entry.id, said) : plain(said)
    yield `- ${entry.at} ${entry.kind === 'alert' ? 'alert, ' : ''}${plain(entry.severity ?? '')}: ${told}\n`
  }
}

const ofAll = ({ total, is_total_exact }: ToolEnvelope, shown: number) =>
  Number(total) > shown ? ` of ${is_total_exact ? '' : 'more than '}${total}` : ''

/** Else nothing found would be taken for nothing there. */
function* partOnly({ partial }: ToolEnvelope): Iterable<string> {
  const told = partial as LogList['partial']
  if (told) yield `Only a part of the logs was searched: ${plain(told.detail, 300)}.\n`
}

function* found(answer: ToolEnvelope, from: Date): Iterable<string> {
  if (isRefused(answer)) return yield* refused(answer)
  yield* partOnly(answer)
  const logs = answer.logs as Log[]
  if (logs.length === 0) {
    yield `No event matches since ${from.toISOString()}.\n`
    for (const note of answer.notes as string[]) yield `- ${plain(note, 300)}\n`
    return
  }
  yield `${answer.is_total_exact ? '' : 'More than '}${answer.total} events match since ${from.toISOString()}; the newest:\n`
  for (const log of logs) {
    const where = log.host ? ` on ${plain(log.host)}` : ''
    yield `- ${log.timestamp}${where}: ${linkTo('siem/logs', log.id, log.message || '(no message)')}\n`
  }
}

async function* openCases(ask: Ask): AsyncIterable<string> {
  let shown = 0
  for (const status of CaseStatus.exclude(['resolved', 'closed']).options) {
    const answer = await ask('list_cases', { status, limit: 10 })
    if (isRefused(answer)) return yield* refused(answer)
    const cases = answer.cases as Case[]
    shown += cases.length
    for (const one of cases) {
      yield `- ${linkTo('cases', one.id, one.title)}: ${one.severity}, ${one.status}${one.assignee ? `, ${plain(one.assignee)}` : ''}\n`
    }
    const more = Number(answer.total) - cases.length
    if (more > 0) yield `- and ${more} more: ${status}\n`
  }
  if (shown === 0) yield 'No case is open.\n'
}

/** The tool takes one status and one severity: each is asked for, and the newest of all are shown. */
async function* suchAlerts(
  { statuses, severities, host }: SuchAlerts,
  from: Date,
  ask: Ask,
): AsyncIterable<string> {
  let total = 0
  const alerts: Alert[] = []
  for (const status of statuses ?? [undefined]) {
    for (const severity of severities ?? [undefined]) {
      const answer = await ask('list_alerts', {
        ...(status ? { status } : {}),
        ...(severity ? { severity } : {}),
        ...(host ? { host } : {}),
        ...{ from: from.toISOString(), limit: SHOWN_ALERTS },
      })
      if (isRefused(answer)) return yield* refused(answer)
      total += Number(answer.total)
      alerts.push(...(answer.alerts as Alert[]))
    }
  }
  alerts.sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
  if (total === 0) return yield 'There are no such alerts.\n'
  yield* listed(total, alerts.slice(0, SHOWN_ALERTS))
}

function* newAlerts(answer: ToolEnvelope): Iterable<string> {
  if (isRefused(answer)) return yield* refused(answer)
  const alerts = answer.alerts as Alert[]
  if (alerts.length === 0) return yield 'There are no alerts in that time.\n'
  yield* listed(Number(answer.total), alerts)
}

function* listed(total: number, alerts: Alert[]): Iterable<string> {
  yield `${total} alerts; the newest:\n`
  for (const alert of alerts) {
    yield `- ${alert.created_at} ${linkTo('alerts', alert.id, alert.title)}: ${alert.severity}, ${alert.status}\n`
  }
}

function* whoDid(answer: ToolEnvelope, from: Date): Iterable<string> {
  if (isRefused(answer)) return yield* refused(answer)
  const entries = answer.entries as AuditRecord[]
  const since = from.getTime() > 0 ? ` since ${from.toISOString()}` : ''
  if (entries.length === 0) return yield `The audit log has nothing about that${since}.\n`
  for (const { at, actor, action, target, outcome } of entries) {
    yield `- ${at} ${plain(actor)}: ${plain(action)} ${plain(target)} (${outcome})\n`
  }
  const more = Number(answer.total) - entries.length
  if (more > 0) yield `- and ${more} earlier ones\n`
}
