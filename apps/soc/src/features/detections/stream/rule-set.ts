import type { LogRecord } from '@manara/log-query/event'
import { matchMany, type NamedQuery } from '@manara/log-query/match-many/match-many'
import type { Matches } from '../../../core/arrivals/matched.ts'
import { mayBeInvented } from '../../../core/demonstration/log-ids.ts'
import { createDetector, type Detector, type RuleParameters } from '../domain/evaluate.ts'
import { type Queried, ruleQueries } from '../domain/rule-query.ts'
import { createNovelty } from '../domain/terms.ts'
import { createSourceCount, type Sourced } from './source-count.ts'

/** As much of a rule as it takes to find its events. */
export type MatchRule = Queried & RuleParameters & { id: string } & Partial<Sourced>

/** Places of events in the batch that was asked about. */
export type Found = Matches['found'][number]
export type Unusable = { rule: string; reason: string }

export type RuleSet = {
  set(rules: MatchRule[], now: number): Unusable[]
  delete(ids: string[]): void
  /** Which events concern which rules: for a rule about several events, any of its queries. */
  match<Log extends LogRecord>(
    logs: Iterable<Log>,
    onHit?: (place: number, log: Log) => void,
  ): Matches
  /** The same for one event after the other. */
  begin<Log extends LogRecord>(onHit: (place: number, log: Log) => void): Collection<Log>
  /** What the rules would find, the events given in order of time and id, batch after batch. */
  detect(logs: Iterable<LogRecord>): Found[]
}

type Collection<Log> = { add(log: Log): void; finish(): Matches }

/** All rules compiled together, so that thousands cost little more than a few. */
export function createRuleSet(): RuleSet {
  const rules = new Map<string, { rule: Kept; steps: number; detector?: Detector }>()
  const novelties = new Map<string, ReturnType<typeof createNovelty>>()
  let queries = matchMany([])
  const sources = createSourceCount()

  function forget(id: string) {
    const known = rules.get(id)
    for (let step = 0; step < (known?.steps ?? 0); step += 1) queries.delete(queryId(id, step))
    rules.delete(id)
    const source = sources.forget(known?.rule.source_key)
    if (source !== undefined) queries.delete(source)
  }

  function set(changed: MatchRule[], now: number): Unusable[] {
    const unusable: Unusable[] = []
    const fresh: NamedQuery[] = []
    for (const rule of changed) {
      forget(rule.id)
      try {
        const steps = ruleQueries(rule, now)
        fresh.push(...steps.map((query, step) => ({ id: queryId(rule.id, step), query })))
        rules.set(rule.id, { rule: kept(rule), steps: steps.length })
        const source = sources.add(rule, now)
        if (source) fresh.push(source)
      } catch (error) {
        unusable.push({ rule: rule.id, reason: error instanceof Error ? error.message : '' })
      }
    }
    // Known together, the queries tell better what is rare.
    if (queries.size === 0) queries = matchMany(fresh)
    else for (const named of fresh) queries.set(named)
    return unusable
  }

  function stepsByRule(log: LogRecord, seen: Matches['seen']): Map<string, number[]> {
    const matching = queries.match(log)
    if (matching.length === 0) return NONE
    const found = new Map<string, number[]>()
    for (const id of matching) {
      const source = sources.keyOf(id)
      if (source !== undefined) {
        if (!mayBeInvented(log)) seen[source] = (seen[source] ?? 0) + 1
        continue
      }
      const at = id.lastIndexOf(' ')
      const rule = id.slice(0, at)
      found.set(rule, [...(found.get(rule) ?? []), Number(id.slice(at + 1))])
    }
    return found
  }

  function begin<Log extends LogRecord>(
    isHit: (rule: string, log: Log, steps: number[]) => boolean,
    onHit: (place: number, log: Log) => void,
  ): Collection<Log> {
    const found = new Map<string, number[]>()
    const seen: Matches['seen'] = {}
    let place = 0
    let invented = 0
    return {
      add(log) {
        for (const [rule, steps] of stepsByRule(log, seen)) {
          if (!isHit(rule, log, steps)) continue
          onHit(place, log)
          const places = found.get(rule)
          if (places) places.push(place)
          else found.set(rule, [place])
        }
        place += 1
        // Of the demonstration: no rule has data because of it.
        if (mayBeInvented(log)) invented += 1
      },
      finish() {
        if (place > invented) Object.assign(seen, sources.countOf(place - invented))
        return { found: [...found].map(([rule, places]) => ({ rule, logs: places })), seen }
      },
    }
  }

  function collect<Log extends LogRecord>(
    logs: Iterable<Log>,
    isHit: (rule: string, log: Log, steps: number[]) => boolean,
    onHit: (place: number, log: Log) => void = () => {},
  ): Matches {
    const collection = begin(isHit, onHit)
    for (const log of logs) collection.add(log)
    return collection.finish()
  }

  /** Of a new_terms rule what is new among the events that were given. */
  function isNewTerm(id: string, { new_terms }: Kept, term: string, at: number): boolean {
    if (!new_terms) return true
    const isNew = novelties.get(id) ?? createNovelty(new_terms)
    novelties.set(id, isNew)
    return isNew(term, at)
  }

  return {
    set,
    delete: (ids) => ids.forEach(forget),
    match: (logs, onHit) => collect(logs, () => true, onHit),
    begin: (onHit) => begin(() => true, onHit),
    detect: (logs) =>
      collect(logs, (id, log, steps) => {
        const known = rules.get(id)
        if (!known) return false
        known.detector ??= createDetector(known.rule)
        const hit = known.detector.feed(
          log,
          steps.toSorted((a, b) => a - b),
        )
        return (
          hit !== undefined &&
          (hit.term === undefined || isNewTerm(id, known.rule, hit.term, log.at))
        )
      }).found,
  }
}

/** Without its text, which nobody reads again. */
type Kept = RuleParameters & { source_key: MatchRule['source_key'] | undefined }

const kept = ({ kind, threshold, new_terms, sequence, source_key }: MatchRule): Kept => ({
  ...{ kind, threshold, new_terms, sequence },
  source_key,
})

const NONE: Map<string, number[]> = new Map()

const queryId = (rule: string, step: number) => `${rule} ${step}`
