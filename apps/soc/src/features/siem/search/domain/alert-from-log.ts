import type { AlertCreate } from '@manara/soc-contract/alerts'
import { Severity } from '@manara/soc-contract/severity'
import type { Log } from '@manara/soc-contract/siem'

/** An alert an analyst raises from one event, without a rule that would say how to call it. */
export function alertFromLog(log: Log): AlertCreate {
  const [line = ''] = log.message.trim().split('\n')
  const what = clip(line, 200).trim() || `${clip(log.source, 200)} event`
  const host = log.host === null ? null : clip(log.host, 255)
  const severity = Severity.safeParse(log.severity)
  return {
    title: host ? `${what} on ${host}` : what,
    source: clip(log.source, 200) || 'siem',
    source_ref: clip(log.id, 500),
    severity: severity.success ? severity.data : 'medium',
    status: 'new',
    description: clip(log.message, 20_000),
    host,
    iocs: [],
    tags: ['promoted'],
    mitre_techniques: [],
    raw: log,
    first_seen_at: new Date(log.timestamp),
    last_seen_at: new Date(log.timestamp),
  }
}

/** Never half of a pair of surrogates, which could not be stored. */
const clip = (text: string, length: number) => text.slice(0, length).toWellFormed()
