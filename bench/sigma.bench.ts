import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Query } from '@manara/log-query/ast'
import type { LogRecord } from '@manara/log-query/event'
import { viewOf } from '@manara/log-query/event-view'
import { type ManyQueries, matchMany } from '@manara/log-query/match-many/match-many'
import { compileViewPredicate } from '@manara/log-query/predicate'
import { printQuery } from '@manara/log-query/print'
import { importSigma } from '@manara/sigma/import-sigma'
import type { ImportedQuery } from '@manara/sigma/imported'
import { lengthened, loadSigma } from './sigma-data.ts'
import { madeRules, seeded } from './sigma-made.ts'
import type { Measured } from './sigma-process.ts'
import { createSqlitePeer } from './sigma-sqlite.ts'

export const name = 'many Sigma rules over streamed Windows events'

const LEAST_EVENTS_PER_S = 25_000
const LEAST_TIMES_SQLITE = 10
const MOST_MB = 400
/** As the service hands them over. */
const RULES_AT_ONCE = 500
const EVENTS_AT_ONCE = 100
/** How many rules there are to see what more of them cost. */
const GROWTH = [1_000, 10_000]
/** The peers are far slower: they get every n-th event. */
const PEER_EVENTS = 3_000
const ROUNDS = 3

/**
 * With SIGMA_RULES (a folder) and SIGMA_EVENTS (NDJSON, also .gz) real ones are taken. What a core
 * can do is counted in seconds of the processor, so that a busy machine says the same as an idle one.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  const { files, logs } = loadSigma()
  const importing = timed(() => importSigma(files))
  const { skipped } = importing.result
  print(`${files.length} files imported in ${ms(importing.wallS)}, ${skipped.length} refused`)
  const rules = importing.result.rules.filter((rule) => rule.kind === 'query')

  const thread = inFreshProcess(rules, logs)
  print(
    `a process with ${rules.length} rules in the thread that matches has ${thread.rulesMb} MB, at most ${thread.mostMb} MB with events coming (limit ${MOST_MB} MB)`,
  )
  print(
    `there, with reading the events and counting their sources: ${perSecond(logs.length / thread.cpuS)} a core, ${thread.hits} hits`,
  )

  const queries = rules.map(named)
  const building = timed(() => matchMany(queries))
  const many = building.result
  print(`${queries.length} rules compiled together in ${ms(building.wallS)}`)
  const rate = rateOf(many, logs)
  print(`matching alone: ${perSecond(rate)} a core`)
  const long = lengthened(logs)
  print(`  with events of 5 kB: ${perSecond(rateOf(many, long))} a core`)
  const more = [...queries, ...moreRules(Math.max(...GROWTH) - queries.length)]
  for (const count of GROWTH) {
    print(
      `  with ${count} rules: ${perSecond(rateOf(matchMany(more.slice(0, count)), logs))} a core`,
    )
  }

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
    agree &&
    skipped.length === 0 &&
    timesSqlite >= LEAST_TIMES_SQLITE &&
    rate >= LEAST_EVENTS_PER_S &&
    thread.mostMb <= MOST_MB
  )
}

/** As lines of JSON, so many at a time, each part with its length before it. */
function inParts(all: object[], atOnce: number): Buffer {
  const parts = Array.from({ length: Math.ceil(all.length / atOnce) }, (_, n) => {
    const some = all.slice(n * atOnce, (n + 1) * atOnce)
    const text = Buffer.from(some.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(text.length)
    return Buffer.concat([length, text])
  })
  return Buffer.concat(parts)
}

type Named = { id: string; query: Query }

const named = ({ file, query }: ImportedQuery): Named => ({ id: file, query })

/** Made ones, beside those that were given. */
const moreRules = (count: number): Named[] =>
  importSigma(madeRules(Math.max(0, count), seeded(9)))
    .rules.filter((rule) => rule.kind === 'query')
    .map(({ file, query }) => ({ id: `made ${file}`, query }))

/** As many events in a second of the processor, in the best of some rounds. */
function rateOf(many: ManyQueries, logs: LogRecord[]): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const { cpuS } = timed(() => {
      for (const log of logs) many.match(log)
    })
    return logs.length / cpuS
  })
  return Math.max(...rounds)
}

/** Where importing has left nothing behind. */
function inFreshProcess(rules: ImportedQuery[], logs: LogRecord[]): Measured {
  const directory = mkdtempSync(path.join(tmpdir(), 'sigma-bench-'))
  const [rulesFile, batchesFile] = [path.join(directory, 'rules'), path.join(directory, 'batches')]
  const stored = rules.map(({ query, at }, id) => ({
    ...{ id: String(id), kind: 'query', query: printQuery(query), source_query: printQuery(at) },
    source_key: printQuery(at),
  }))
  writeFileSync(rulesFile, inParts(stored, RULES_AT_ONCE))
  writeFileSync(batchesFile, inParts(logs, EVENTS_AT_ONCE))
  try {
    const program = path.join(import.meta.dirname, 'sigma-process.ts')
    const said = execFileSync(process.execPath, [program, rulesFile, batchesFile])
    return JSON.parse(said.toString())
  } finally {
    rmSync(directory, { recursive: true })
  }
}

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
