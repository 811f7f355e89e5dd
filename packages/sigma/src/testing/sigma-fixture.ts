import type { LogRecord } from '@manara/log-query/event'
import { compilePredicate } from '@manara/log-query/predicate'
import { importSigma } from '../import-sigma.ts'
import type { ImportedQuery } from '../imported.ts'

/** A whole rule around the lines of its detection, over any events unless a logsource is given. */
export const ruleWith = (detection: string, logsource = 'product: manara'): string => `
title: Test
logsource:
    ${logsource}
detection:
${detection
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`

export const logWith = (fields: LogRecord['fields'], message = ''): LogRecord => ({
  id: '1',
  at: 0,
  source: 'test',
  host: null,
  severity: 'info',
  message,
  user: null,
  process: null,
  event_code: null,
  src_ip: null,
  dst_ip: null,
  fields,
})

/** `settings` is what would stand in sigma-mappings.yml beside the rule. */
export const importOne = (content: string, settings = '{}'): ImportedQuery => {
  const { rules, skipped } = importSigma([
    { name: 'test.yml', content },
    { name: 'rules/sigma-mappings.yml', content: settings },
  ])
  const [rule] = rules
  if (rule?.kind !== 'query') throw new Error(`not imported: ${JSON.stringify(skipped)}`)
  return rule
}

export const reasonFor = (content: string): string => {
  const { rules, skipped } = importSigma([{ name: 'test.yml', content }])
  return rules.length > 0 ? 'it was imported' : (skipped[0]?.reason ?? 'no reason')
}

export const matches = (content: string, log: LogRecord, settings?: string): boolean =>
  compilePredicate(importOne(content, settings).query)(log)
