import type { LookingAt } from '@manara/soc-contract/chat'
import { readSuchAlerts, type SuchAlerts } from './such-alerts.ts'
import { type Wish, wishOf } from './wish.ts'

export type Intent =
  | { kind: 'alert'; id: string }
  | { kind: 'case'; id: string }
  | { kind: 'log'; id: string }
  | { kind: 'entity'; what: 'host' | 'user' | 'address'; name: string }
  | { kind: 'host-of'; alertId: string }
  | { kind: 'search'; query: string }
  | { kind: 'open-cases' }
  | { kind: 'new-alerts' }
  | { kind: 'such-alerts'; such: SuchAlerts }
  | { kind: 'who-did'; target: string | undefined }
  | { kind: 'act'; wish: Wish }
  | { kind: 'help' }

export type Asked = { intent: Intent; from: Date }

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i
const ADDRESS =
  /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?![\w.])/i
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAY = 86_400_000
const STOP = new Set(['the', 'a', 'an', 'this', 'that', 'host', 'user', 'machine', 'server'])

/** What a question is about, by fixed patterns: nothing in it is an instruction. */
export function readQuestion(text: string, now: number, at: LookingAt = {}): Asked {
  const intent = intentOf(text.trim(), at)
  // Who changed one record is asked about all of its days; so is which alerts are open.
  const isOfAllDays =
    (intent.kind === 'who-did' && intent.target !== undefined) ||
    (intent.kind === 'such-alerts' && intent.such.statuses !== undefined)
  const isWhole = isOfAllDays && !SPAN.test(text) && !/\btoday\b/i.test(text)
  return { intent, from: new Date(isWhole ? 0 : now - spanOf(text)) }
}

function intentOf(text: string, at: LookingAt): Intent {
  const id = ID.exec(text)?.[0].toLowerCase()
  const wish = wishOf(text)
  if (wish) return { kind: 'act', wish }
  if (
    /\bwho\b.*\b(did|do|has|have|was|changed?|closed?|opened?|deleted?|approved?|decided?)\b/i.test(
      text,
    )
  ) {
    return { kind: 'who-did', target: id ?? (isAboutThis(text) ? idOf(at) : undefined) }
  }
  const query =
    /^(?:please )?(?:search|find|look for|grep)(?: for| the logs for| logs for)?:?\s+(.+)$/is.exec(
      text,
    )
  if (query?.[1]) return { kind: 'search', query: withoutSpan(query[1]) }
  if (id) return /\bcase\b/i.test(text) ? { kind: 'case', id } : { kind: 'alert', id }
  const meant = isAboutThis(text) ? thisOne(text, at) : undefined
  if (meant) return meant
  if (/\b(open|active|my)\b.*\bcases?\b|\bcases\b.*\b(open|active)\b|^cases\??$/i.test(text)) {
    return { kind: 'open-cases' }
  }
  if (
    /\balerts?\b/i.test(text) &&
    /\b(new|latest|recent|open|today|show|list|what|which|how many|count)\b/i.test(text)
  ) {
    const such = readSuchAlerts(text)
    return Object.keys(such).length > 0 ? { kind: 'such-alerts', such } : { kind: 'new-alerts' }
  }
  return entityOf(text) ?? { kind: 'help' }
}

const isAboutThis = (text: string) =>
  /\b(this|it|that|here)\b|^(please )?(explain|summari[sz]e)\W*$/i.test(text)

const idOf = ({ alert_id, case_id }: LookingAt) => alert_id ?? case_id

/** "This" is what stands open, by its kind where the question names one. */
function thisOne(text: string, at: LookingAt): Intent | undefined {
  if (/\b(host|machine|server|endpoint)\b/i.test(text)) {
    if (at.host) return { kind: 'entity', what: 'host', name: at.host }
    if (at.alert_id) return { kind: 'host-of', alertId: at.alert_id }
  }
  if (at.case_id && (/\bcase\b/i.test(text) || !at.alert_id)) {
    return { kind: 'case', id: at.case_id }
  }
  if (at.log_id && (/\b(event|log|line)\b/i.test(text) || !at.alert_id)) {
    return { kind: 'log', id: at.log_id }
  }
  if (at.alert_id) return { kind: 'alert', id: at.alert_id }
  return at.host ? { kind: 'entity', what: 'host', name: at.host } : undefined
}

function entityOf(text: string): Intent | undefined {
  const named = (pattern: RegExp) => {
    const name = pattern.exec(text)?.[1]?.replace(/[?!.,;]+$/, '')
    return name && !STOP.has(name.toLowerCase()) ? name : undefined
  }
  const user = named(/\b(?:user|account)\s+["'`]?([^\s"'`?]+)/i)
  if (user) return { kind: 'entity', what: 'user', name: user }
  const address = ADDRESS.exec(text)?.[0]
  if (address) return { kind: 'entity', what: 'address', name: address }
  const host =
    named(/\b(?:host|machine|server|endpoint)\s+["'`]?([^\s"'`?]+)/i) ??
    named(
      /\b(?:happen(?:ed|ing)?|going on|activity|events?)\s+(?:on|at|to|with)\s+(?:the\s+)?["'`]?([^\s"'`?]+)/i,
    )
  return host ? { kind: 'entity', what: 'host', name: host } : undefined
}

const SPAN =
  /\b(?:in |over |during )?(?:the )?(?:last|past)\s+(\d{1,3})?\s*(minute|hour|day|week)s?\b/i

function spanOf(text: string): number {
  const [, amount = '1', unit = ''] = SPAN.exec(text) ?? []
  if (unit.toLowerCase() === 'week') return Number(amount) * 7 * DAY
  return unit === '' ? DAY : Number(amount) * (UNITS[unit[0]?.toLowerCase() ?? 'd'] ?? DAY)
}

const withoutSpan = (query: string) => query.replace(SPAN, '').trim()
