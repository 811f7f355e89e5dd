import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Query } from '@manara/log-query/ast'
import type { LogRecord } from '@manara/log-query/event'
import { COMMON_FIELDS } from '@manara/log-query/event'
import { compilePredicate } from '@manara/log-query/predicate'
import { importSigma } from '@manara/sigma/import-sigma'
import { createEvents } from '../apps/soc/src/features/siem/ingest/read/read-events.ts'
import { createOwnParsers } from '../apps/soc/src/features/siem/normalise/own/own-parsers.ts'
import { PARSER } from '../apps/soc/src/features/siem/normalise/parsed.ts'
import { fieldsIn } from '../apps/soc/src/features/siem/search/domain/resolve-fields.ts'

/**
 * `npm run formats -- FILE [RULES]`: what the events of a file would become. Which format reads
 * them, which columns and fields they get, and which rules could see them: those that come with
 * the service, or the Sigma rules in a folder of your own.
 */
const OWN_RULES = path.join(import.meta.dirname, '../apps/soc/rules')
const MOST_EVENTS = 100_000
const SHOWN_EVENTS = 3
const SHOWN_FIELDS = 40
const SHOWN_RULES = 30

const [file, rulesDirectory = OWN_RULES] = process.argv.slice(2)
if (!file || !existsSync(file) || !existsSync(rulesDirectory)) {
  process.stdout.write('say which file: npm run formats -- FILE [FOLDER OF SIGMA RULES]\n')
  process.exitCode = 2
} else show(file, rulesDirectory)

function show(name: string, directory: string) {
  const { logs, rejected } = eventsOf(name)
  say(`${logs.length} events${rejected > 0 ? `, ${rejected} that are none` : ''}`)
  if (logs.length === 0) return
  showFormats(logs)
  showNames(logs)
  say('\nFirst events')
  for (const log of logs.slice(0, SHOWN_EVENTS)) say(JSON.stringify(shownOf(log), null, 2))
  showRules(logs, directory)
}

/** As `POST /siem/logs` reads a body: JSON, one object a line, or lines of text. */
function eventsOf(name: string): { logs: LogRecord[]; rejected: number } {
  const body = readFileSync(name)
  let count = 0
  const newId = () => `event-${++count}`
  const format = { kind: 'native', contentType: 'text/plain' } as const
  const reading = { way: 'api', format, body, receivedAt: Date.now() } as const
  const next = createEvents(
    reading,
    { from: 0, unread: new Set(), newId, own: createOwnParsers() },
    () => {},
  )
  const logs: LogRecord[] = []
  let rejected = 0
  for (let isLast = false; !isLast && logs.length < MOST_EVENTS; ) {
    const part = next()
    logs.push(...part.logs)
    rejected += part.rejections.length
    isLast = part.isLast
  }
  return { logs, rejected }
}

function showFormats(logs: LogRecord[]) {
  const counts = countedBy(logs, ({ fields }) => [String(fields[PARSER] ?? 'nothing')])
  say('\nRead by')
  for (const [format, count] of counts) say(`  ${share(count, logs)}  ${format}`)
}

function showNames(logs: LogRecord[]) {
  const columns = COMMON_FIELDS.filter((name) => name !== 'id' && name !== 'message')
  say('\nColumns that hold something')
  for (const name of columns) {
    say(`  ${share(logs.filter((log) => log[name] !== null).length, logs)}  ${name}`)
  }
  const names = countedBy(logs, ({ fields }) => Object.keys(fields))
  say(`\nFields (${names.length})`)
  for (const [name, count] of names.slice(0, SHOWN_FIELDS)) say(`  ${share(count, logs)}  ${name}`)
  if (names.length > SHOWN_FIELDS) say(`  … and ${names.length - SHOWN_FIELDS} more`)
}

/** A rule sees an event when it is of the kind it looks at, and has a field that it asks about. */
function showRules(logs: LogRecord[], directory: string) {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => ({ name, content: readFileSync(path.join(directory, name), 'utf8') }))
  const { rules } = importSigma(files)
  const seen: { title: string; hits: number }[] = []
  for (const rule of rules) {
    if (rule.kind !== 'query') continue
    const isMeant = compilePredicate(rule.at)
    const about = fieldsIn(rule.at)
    const asked = fieldsIn(rule.query).filter((name) => !about.includes(name))
    const visible = logs.filter((log) => isMeant(log) && hasOne(log, asked))
    if (visible.length === 0) continue
    seen.push({ title: rule.rule.title, hits: hitsOf(rule.query, visible) })
  }
  seen.sort((one, other) => other.hits - one.hits)
  say(`\nRules that could see it: ${seen.length} of ${rules.length}`)
  for (const { title, hits } of seen.slice(0, SHOWN_RULES)) {
    say(`  ${hits > 0 ? `${hits} hits`.padStart(9) : '        -'}  ${title}`)
  }
  if (seen.length > SHOWN_RULES) say(`  … and ${seen.length - SHOWN_RULES} more`)
}

function hitsOf(query: Query, logs: LogRecord[]): number {
  return logs.filter(compilePredicate(query)).length
}

/** A rule of free text asks about no field. */
function hasOne(log: LogRecord, names: string[]): boolean {
  if (names.length === 0) return true
  return names.some((name) => {
    const column = COMMON_FIELDS.find((common) => common === name)
    return column ? log[column] !== null : Object.hasOwn(log.fields, name.replace(/^fields\./, ''))
  })
}

function shownOf({ at, fields, ...columns }: LogRecord) {
  const held = Object.entries(columns).filter(([name, value]) => value !== null && name !== 'id')
  const shown = held.filter(([name]) => name !== 'original' && name !== 'received_at')
  return { timestamp: new Date(at).toISOString(), ...Object.fromEntries(shown), fields }
}

function countedBy(logs: LogRecord[], keysOf: (log: LogRecord) => string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const log of logs) for (const key of keysOf(log)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

function share(count: number, { length }: unknown[]): string {
  return `${((100 * count) / length).toFixed(1).padStart(5)} %`
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
