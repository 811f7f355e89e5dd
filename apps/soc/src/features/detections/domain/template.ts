import { COMMON_FIELDS, type LogRecord } from '@manara/log-query/event'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { storable } from '@manara/soc-contract/storable'
import { fieldText } from './field-text.ts'

type Named = Pick<DetectionRule, 'id' | 'name' | 'alert_severity'>

/** Field names as logs have them: letters, digits and what joins them. */
const PLACEHOLDER = /\{([\p{L}\p{N}_@.][\p{L}\p{N}_@.\- ]*)\}/gu

const OF_THE_RULE = new Map<string, (rule: Named) => string>([
  ['rule_name', ({ name }) => name],
  ['rule_id', ({ id }) => id],
  ['alert_severity', ({ alert_severity }) => alert_severity],
])
const ALWAYS: ReadonlySet<string> = new Set([...OF_THE_RULE.keys(), ...COMMON_FIELDS, 'timestamp'])

/** A common field that is empty becomes `-`; what the event does not have stays as it is written. */
export function render(template: string, rule: Named, log: LogRecord): string {
  const text = template.replace(PLACEHOLDER, (whole, name: string) => {
    const own = OF_THE_RULE.get(name)
    if (own) return own(rule)
    return fieldText(log, name) ?? (ALWAYS.has(name) ? '-' : whole)
  })
  return storable(text)
}

/** Every name in braces that is neither of the rule nor one that every event has. */
export function fieldPlaceholders(...templates: string[]): string[] {
  const names = templates.flatMap((template) =>
    [...template.matchAll(PLACEHOLDER)].map(([, name]) => name as string),
  )
  return [...new Set(names)].filter((name) => !ALWAYS.has(name))
}
