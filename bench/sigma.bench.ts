import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Query } from '@manara/log-query/ast'
import type { LogRecord } from '@manara/log-query/event'
import { viewOf } from '@manara/log-query/event-view'
import { matchMany } from '@manara/log-query/match-many/match-many'
import { compileViewPredicate } from '@manara/log-query/predicate'
import { importSigma, type SigmaFile } from '@manara/sigma/import-sigma'
import { madeEvents, madeRules, seeded } from './sigma-made.ts'
import { createSqlitePeer } from './sigma-sqlite.ts'

export const name = 'many Sigma rules over streamed Windows events'

const LEAST_EVENTS_PER_S = 25_000
const LEAST_TIMES_SQLITE = 10
const RULES = 3_000
const EVENTS = 20_000
/** The peers are far slower: they get every n-th event. */
const PEER_EVENTS = 3_000
const ROUNDS = 3

/**
 * With SIGMA_RULES (a folder) and SIGMA_EVENTS (NDJSON, also .gz) real ones are taken. What a core
 * can do is counted in seconds of the processor, so that a busy machine says the same as an idle one.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  const { files, logs } = load()
  const importing = timed(() => importSigma(files))
  const { rules, skipped } = importing.result
  print(`${files.length} files imported in ${ms(importing.wallS)}, ${skipped.length} refused`)
  const queries = rules.flatMap((rule) =>
    rule.kind === 'query' ? [{ id: rule.file, query: rule.query }] : [],
  )
  const building = timed(() => matchMany(queries))
  const many = building.result
  const memory = Math.round(process.memoryUsage.rss() / 1e6)
  print(
    `${queries.length} rules compiled together in ${ms(building.wallS)}; this process, with what importing left behind, has ${memory} MB`,
  )

  const rounds = Array.from({ length: ROUNDS }, () =>
    timed(() => logs.map((log) => many.match(log))),
  )
  const best = rounds.reduce((a, b) => (b.cpuS < a.cpuS ? b : a))
  const rate = logs.length / best.cpuS
  print(`together: ${perSecond(rate)} a core (${perSecond(logs.length / best.wallS)} by the clock)`)

  const step = Math.max(1, Math.floor(logs.length / PEER_EVENTS))
  const sample = logs.filter((_, index) => index % step === 0)
  const matched = timed(() => sample.map((log) => many.match(log)))
  const expected = pairs(matched.result)
  print(`${expected.size} matches in the ${sample.length} events the peers are given`)
  const naive = runNaively(queries, sample)
  const sqlite = runInSqlite(queries, sample)
  const said = (peer: string, seconds: number) =>
    print(
      `${peer}: ${perSecond(sample.length / seconds)} a core, ${(rate / (sample.length / seconds)).toFixed(0)}× slower`,
    )
  said('each rule in turn', naive.cpuS)
  said('a SELECT for each rule in SQLite', sqlite.cpuS)
  print(`  (its events were inserted before, ${perSecond(sample.length / sqlite.insertS)})`)
  const agree = isSame(expected, naive.result) && isSame(expected, sqlite.result)
  print(agree ? 'all three found the same' : 'THEY DIFFER in what they found')
  print(`${(rate / LEAST_EVENTS_PER_S).toFixed(1)}× the ${LEAST_EVENTS_PER_S} events/s asked for`)
  const timesSqlite = rate / (sample.length / sqlite.cpuS)
  return (
    agree && skipped.length === 0 && timesSqlite >= LEAST_TIMES_SQLITE && rate >= LEAST_EVENTS_PER_S
  )
}

type Named = { id: string; query: Query }

function runNaively(queries: Named[], logs: LogRecord[]) {
  const compiled = queries.map(({ id, query }) => ({ id, matches: compileViewPredicate(query) }))
  const one = (log: LogRecord) => {
    const view = viewOf(log)
    return compiled.filter(({ matches }) => matches(view)).map(({ id }) => id)
  }
  const { result, cpuS } = timed(() => logs.map(one))
  return { result: pairs(result), cpuS }
}

function runInSqlite(queries: Named[], logs: LogRecord[]) {
  const peer = createSqlitePeer([...new Set(logs.flatMap(({ fields }) => Object.keys(fields)))])
  const { cpuS: insertS } = timed(() => peer.insert(logs))
  const selects = queries.map(({ id, query }) => ({ id, select: peer.prepare(query) }))
  const { result, cpuS } = timed(() =>
    selects.flatMap(({ id, select }) => select().map((n) => `${n} ${id}`)),
  )
  peer.close()
  return { result: new Set(result), cpuS, insertS }
}

function load(): { files: SigmaFile[]; logs: LogRecord[] } {
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

function timed<T>(work: () => T): { result: T; cpuS: number; wallS: number } {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const result = work()
  const { user, system } = process.cpuUsage(cpu)
  return { result, cpuS: (user + system) / 1e6, wallS: (performance.now() - started) / 1000 }
}

const pairs = (found: string[][]) =>
  new Set(found.flatMap((ids, index) => ids.map((id) => `${index} ${id}`)))

const isSame = (a: Set<string>, b: Set<string>) =>
  a.size === b.size && [...a].every((pair) => b.has(pair))

const ms = (seconds: number) => `${Math.round(seconds * 1000)} ms`
const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')} events/s`
