import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Investigation } from '@manara/soc-contract/investigation'
import { techniqueOf } from '../apps/soc/src/features/detections/domain/mitre/techniques.ts'
import type { Caller } from './demo/soc-client.ts'
import { type Figures, fallen, figuresOf, judge, type Row } from './eval-agents/figures.ts'
import { prepareSocs, type Socs, strongestLead } from './eval-agents/fresh-soc.ts'
import {
  quietPart,
  type Recording,
  readRecordings,
  splitRecordings,
} from './eval-agents/recordings.ts'

/**
 * `npm run eval:agents -- --data DIR [--keep] [--no-quiet] [word…]`: investigates recordings with
 * labels through the service and its API, and compares with the figures that were kept.
 * `--split FILE --sets FILE --labels FILE --data DIR` makes such a folder of one file of lines.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    data: { type: 'string' },
    keep: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: true },
    split: { type: 'string' },
    sets: { type: 'string' },
    labels: { type: 'string' },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const { data: directory } = values
if (!directory) {
  say('--data DIR is missing: docs/agents-evaluation.md says what it holds')
  process.exit(2)
}
if (values.split) {
  splitRecordings(values.split, values.sets ?? '', values.labels ?? '', directory)
  process.exit(0)
}

const recordings = readRecordings(directory, positionals)
say(`${recordings.length} recordings`)
const socs = await prepareSocs(directory)
say(`${socs.rules} rules`)
try {
  const rows: Row[] = []
  const quiet: { isAttack: boolean }[] = []
  for (const recording of recordings) {
    rows.push(await measure(socs, recording))
    const rest = values.quiet ? quietPart(recording) : undefined
    if (rest) quiet.push({ isAttack: await cries(socs, rest) })
  }
  conclude(figuresOf(rows, quiet), rows)
} finally {
  await socs.stop()
}

async function measure(all: Socs, recording: Recording): Promise<Row> {
  return all.use(async ({ admin, load }) => {
    await load(recording)
    const alert_context = await strongestLead(admin)
    const started = performance.now()
    const answer = await investigate(admin, alert_context)
    const ms = Math.round(performance.now() - started)
    const again = await investigate(admin, alert_context)
    const judged = judge({
      answer,
      label: recording.label,
      currentOf: (id) => techniqueOf(id)?.replaced_by ?? id,
    })
    const row: Row = {
      name: recording.name,
      events: recording.lines.length,
      ...judged,
      missingCites: await countMissing(admin, answer),
      areRunsEqual: answer.digest === again.digest,
      ms,
    }
    tell(row, answer)
    return row
  })
}

function tell(row: Row, { hosts, users, initiator, techniques, verdict }: Investigation) {
  const wrong = Object.entries(row).flatMap(([name, value]) => (value === false ? [name] : []))
  say(
    `${wrong.length === 0 ? 'ok ' : '-- '} ${row.name}: ${verdict}, ${hosts.join(' ')} | ${users.join(' ')} | ${initiator?.process ?? initiator?.address} | ${techniques
      .slice(0, 3)
      .map(({ id }) => id)
      .join(' ')} | read ${row.toRead} of ${row.events} in ${row.ms} ms ${wrong.join(' ')}`,
  )
}

async function cries(all: Socs, recording: Recording): Promise<boolean> {
  return all.use(async ({ admin, load }) => {
    await load(recording)
    const { verdict, score, hosts } = await investigate(admin, await strongestLead(admin))
    if (verdict === 'attack') say(`-- ${recording.name}: called an attack, ${score} on ${hosts[0]}`)
    return verdict === 'attack'
  })
}

/** Those that take longer than a caller is kept waiting are looked for until they are over. */
async function investigate(admin: Caller, alert_context: string): Promise<Investigation> {
  let answer: Investigation = await admin.call('POST', '/agents/investigate', { alert_context })
  while (answer.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 500))
    answer = await admin.call('GET', `/agents/investigations/${answer.id}`)
  }
  if (answer.status !== 'completed') throw new Error(`${alert_context}: ${answer.error}`)
  return answer
}

async function countMissing(admin: Caller, answer: Investigation): Promise<number> {
  const cites = [...answer.findings, ...answer.techniques, ...answer.proposed_actions].map(
    (one) => one.cites,
  )
  const paths = new Set([
    ...cites.flatMap(({ log_ids }) => log_ids.map((id) => `/siem/logs/${encodeURIComponent(id)}`)),
    ...answer.timeline.map(({ log_id }) => `/siem/logs/${encodeURIComponent(log_id)}`),
    ...cites.flatMap(({ alert_ids }) => alert_ids.map((id) => `/alerts/${id}`)),
    ...cites.flatMap(({ rule_ids }) => rule_ids.map((id) => `/detections/rules/${id}`)),
  ])
  let missing = 0
  for (const one of paths) {
    await admin.call('GET', one).catch(() => {
      missing += 1
    })
  }
  return missing
}

function conclude(figures: Figures, rows: Row[]) {
  say('')
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(20)} ${value}`)
  say(`${'reduction'.padEnd(20)} ${Math.round(figures.events / Math.max(1, figures.to_read))}×`)
  const times = rows.map(({ ms }) => ms).sort((a, b) => a - b)
  say(`${'time'.padEnd(20)} median ${times[times.length >> 1]} ms, longest ${times.at(-1)} ms`)
  const file = path.join(directory ?? '', 'figures.json')
  if (values.keep) {
    writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
    say(`kept in ${file}`)
    return
  }
  if (!existsSync(file) || positionals.length > 0) return
  const worse = fallen(JSON.parse(readFileSync(file, 'utf8')), figures)
  for (const line of worse) say(`WORSE: ${line}`)
  process.exitCode = worse.length === 0 ? 0 : 1
}
