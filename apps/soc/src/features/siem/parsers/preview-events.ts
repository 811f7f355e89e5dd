import type { FieldValue } from '@manara/log-query/event'
import type { ParserDefinition, ParserPreview, ParserSample } from '@manara/soc-contract/parsers'
import type { NormalisedLog } from '../normalise/normalise.ts'
import { applyFound, shownValue } from '../normalise/own/apply-found.ts'
import { checkSamples } from '../normalise/own/check-samples.ts'
import { compileParser } from '../normalise/own/own-parser.ts'
import { threadMs } from '../normalise/own/own-parsers.ts'
import { PARSER } from '../normalise/parsed.ts'

export type PreviewWork = {
  definition: ParserDefinition
  samples: ParserSample[]
  logs: NormalisedLog[]
  receivedAt: number
}
type Shown = ParserPreview['events'][number]

const SHOWN = 20
const EXAMPLES = 3
const MOST_MS = 5_000
const LONGEST_MESSAGE = 2_000

/** What a parser would make of stored events, and what would be different from what is stored. */
export function previewEvents({
  definition,
  samples,
  logs,
  receivedAt,
}: PreviewWork): Omit<ParserPreview, 'source'> {
  const until = threadMs() + MOST_MS
  const results = checkSamples(definition, samples, receivedAt)
  const read = compileParser(definition)
  const fields = new Map<string, { count: number; examples: FieldValue[] }>()
  const shown: Shown[] = []
  const counts = { looked_at: 0, read: 0, read_now: 0, changed: 0 }
  for (const log of logs) {
    if (threadMs() > until) break
    counts.looked_at += 1
    const parserNow = log.fields[PARSER]
    if (parserNow !== undefined) counts.read_now += 1
    const found = read(log)
    const changes = found ? changesOf(log, applyFound(log, found, 'preview'), found) : []
    if (found) {
      counts.read += 1
      for (const [name, value] of Object.entries(found)) note(fields, name, value)
    }
    if (changes.length > 0) counts.changed += 1
    shown.push({
      ...{ log_id: log.id, message: log.message.slice(0, LONGEST_MESSAGE), read: Boolean(found) },
      parser_now: typeof parserNow === 'string' ? parserNow : null,
      changes: changes.slice(0, 50),
    })
  }
  const { looked_at } = counts
  return {
    ...counts,
    share: looked_at === 0 ? null : counts.read / looked_at,
    too_slow: looked_at < logs.length,
    fields: [...fields]
      .map(([name, about]) => ({ name, ...about }))
      .sort((a, b) => b.count - a.count),
    events: shown.sort((a, b) => Number(a.read) - Number(b.read)).slice(0, SHOWN),
    samples: results,
  }
}

const changesOf = (before: NormalisedLog, after: NormalisedLog, found: object) =>
  Object.keys(found).flatMap((field) => {
    const [old, fresh] = [shownValue(before, field), shownValue(after, field)]
    return JSON.stringify(old) === JSON.stringify(fresh)
      ? []
      : [{ field, before: old, after: fresh }]
  })

function note(
  fields: Map<string, { count: number; examples: FieldValue[] }>,
  name: string,
  value: FieldValue,
) {
  const about = fields.get(name) ?? { count: 0, examples: [] }
  fields.set(name, about)
  about.count += 1
  if (about.examples.length < EXAMPLES && !about.examples.includes(value)) {
    about.examples.push(typeof value === 'string' ? value.slice(0, 200) : value)
  }
}
