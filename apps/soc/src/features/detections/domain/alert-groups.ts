import type { LogRecord } from '@manara/log-query/event'
import type { AlertCreate } from '@manara/soc-contract/alerts'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { storable } from '@manara/soc-contract/storable'
import { entityOf, storyOf } from './alert-story.ts'
import type { Hit } from './evaluate.ts'
import { indicatorsOf } from './indicators.ts'
import { render } from './template.ts'

export type AlertGroup = { alert: AlertCreate; logIds: string[]; occurrences: number }

const MOST_GROUPS = 50
const MOST_IOCS = 100

/**
 * One alert for all hits of a rule that read the same and concern the same host: a thousand events
 * are one alert that happened a thousand times. A title with ever new values would make an alert
 * of each, so what is beyond fifty shares one.
 */
export function alertGroups(rule: DetectionRule, hits: Hit[]): AlertGroup[] {
  const groups = new Map<string, AlertGroup>()
  for (const hit of hits) {
    const own = titleOf(rule, hit.log)
    const ownKey = JSON.stringify([own, hit.log.source, hit.log.host])
    const hasRoom = groups.has(ownKey) || groups.size < MOST_GROUPS
    const [key, title] = hasRoom
      ? [ownKey, own]
      : [REST, `${clip(rule.name, 450)}: further matches`]
    const known = groups.get(key)
    if (known) add(known, hit)
    else groups.set(key, groupOf(rule, hit, title))
  }
  return [...groups.values()]
}

const REST = 'rest'

function groupOf(rule: DetectionRule, { log, members }: Hit, title: string): AlertGroup {
  return {
    logIds: [log.id],
    occurrences: 1,
    alert: {
      title,
      source: clip(storable(log.source), 200) || 'detection',
      severity: rule.alert_severity,
      status: 'new',
      description: clip(descriptionOf(rule, log), 20_000),
      source_ref: clip(storable(log.id), 500),
      iocs: indicatorsOf(log),
      host: log.host === null ? null : clip(storable(log.host), 255),
      tags: rule.tags.slice(0, 100).map((tag) => clip(tag, 100)),
      rule_id: rule.id,
      mitre_techniques: rule.mitre_techniques,
      raw: rawOf(log, members),
      first_seen_at: new Date(log.at),
      last_seen_at: new Date(log.at),
    },
  }
}

function add(group: AlertGroup, { log }: Hit) {
  group.logIds.push(log.id)
  group.occurrences += 1
  const { iocs, first_seen_at: first, last_seen_at: last } = group.alert
  group.alert.first_seen_at = new Date(Math.min(log.at, first?.getTime() ?? log.at))
  group.alert.last_seen_at = new Date(Math.max(log.at, last?.getTime() ?? log.at))
  for (const ioc of indicatorsOf(log)) {
    if (iocs.length < MOST_IOCS && !iocs.includes(ioc)) iocs.push(ioc)
  }
}

/** What the rule says, and what the event says for itself. */
function descriptionOf(rule: DetectionRule, log: LogRecord): string {
  const said = render(rule.alert_description_template, rule, log)
  return storable([said, storyOf(log, rule.mitre_techniques)].filter(Boolean).join('\n\n'))
}

function titleOf(rule: DetectionRule, log: LogRecord): string {
  const named = { ...log, host: entityOf(log) }
  const title = render(rule.alert_title_template, rule, named).replace(/\s+/g, ' ').trim()
  return clip(title || rule.name, 500)
}

/** The first event of the group as a sample; `log_ids` when it took several to make a hit. */
function rawOf(log: LogRecord, members: string[]) {
  const { at, ...event } = log
  const sample = { ...event, timestamp: new Date(at).toISOString() }
  const whole = members.length > 1 ? { ...sample, log_ids: members } : sample
  return storableValue(whole) as Record<string, unknown>
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(storableValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [storable(key), storableValue(child)]),
  )
}

/** Never through the middle of a surrogate pair. */
const clip = (text: string, length: number) =>
  text.length <= length ? text : text.slice(0, length - 1).toWellFormed()
