import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { LogRecord } from '@manara/log-query/event'
import type { SigmaFile } from '@manara/sigma/import-sigma'
import { madeEvents, madeRules, seeded } from './sigma-made.ts'

const RULES = 3_000
const EVENTS = 20_000

/** With SIGMA_RULES (a folder) and SIGMA_EVENTS (NDJSON, also .gz) real ones are taken. */
export function loadSigma(): { files: SigmaFile[]; logs: LogRecord[] } {
  const { SIGMA_RULES, SIGMA_EVENTS } = process.env
  const random = seeded(8)
  return {
    files: SIGMA_RULES ? readRules(SIGMA_RULES) : madeRules(RULES, random),
    logs: (SIGMA_EVENTS ? readEvents(SIGMA_EVENTS) : madeEvents(EVENTS, random)).map(toRecord),
  }
}

const readRules = (folder: string): SigmaFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ name: file, content: readFileSync(path.join(folder, file), 'utf8') }))

const readEvents = (file: string): LogRecord['fields'][] => {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const toRecord = (fields: LogRecord['fields'], index: number): LogRecord => ({
  id: String(index),
  at: 0,
  source: 'windows',
  host: typeof fields.Hostname === 'string' ? fields.Hostname : null,
  severity: 'info',
  message: typeof fields.Message === 'string' ? fields.Message : '',
  user: null,
  process: null,
  event_code: String(fields.EventID),
  src_ip: null,
  dst_ip: null,
  fields,
})

const LONG = 5_000

/** The same events with 5 kB: the fields that rules read most have messages of other events behind them. */
export const lengthened = (logs: LogRecord[]): LogRecord[] =>
  logs.map((log, index) => {
    const fields = { ...log.fields }
    const longest = ['CommandLine', 'ScriptBlockText', 'TargetObject', 'Message'].find(
      (name) => typeof fields[name] === 'string',
    )
    let text = longest ? String(fields[longest]) : ''
    for (let more = 1; text.length < LONG && more < logs.length; more += 1) {
      text += ` ${logs[(index + more) % logs.length]?.message}`
    }
    return { ...log, fields: { ...fields, [longest ?? 'CommandLine']: text.slice(0, LONG) } }
  })
