import type { Matching, SharedRules } from '../../../core/arrivals/matched.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { createRuleSet, type MatchRule } from './rule-set.ts'

/** A longer event is left to the rules' own thread: whoever sends events waits for this one. */
const MOST_CHARACTERS = 16 * 1024
/** Reading and matching a part takes some ten milliseconds; after one that took so long we rest. */
const MOST_PART_MS = 500
const REST_MS = 60_000

type Clocks = {
  /** What this thread has taken of the processor: on a busy machine a part may take long. */
  workedMs(): number
  now(): number
}

/**
 * The same rules as in their own thread, on events that are objects already: there each of them would
 * have to be made anew of its text.
 */
export function createMatching({ workedMs, now }: Clocks = CLOCKS): Matching {
  const rules = createRuleSet()
  let known = new Map<string, string>()
  let edition: number | undefined
  let restsUntil = 0

  return {
    setRules(shared) {
      const wanted = (shared as SharedRules<MatchRule> | undefined)?.rules ?? []
      const ids = new Set(wanted.map(({ id }) => id))
      rules.delete([...known.keys()].filter((id) => !ids.has(id)))
      const changed = wanted.filter(({ id, key }) => known.get(id) !== key)
      for (const [at, group] of Map.groupBy(changed, (one) => one.now)) {
        rules.set(
          group.map(({ rule }) => rule),
          at,
        )
      }
      known = new Map(wanted.map(({ id, key }) => [id, key]))
      edition = shared?.edition
      restsUntil = 0
    },
    begin() {
      const by = now() < restsUntil ? undefined : edition
      if (by === undefined) return undefined
      const hits: Record<number, StoredLog> = {}
      const matching = rules.begin<StoredLog>((place, log) => {
        hits[place] = log
      })
      const began = workedMs()
      let isWhole = true
      return {
        add(log, characters) {
          isWhole &&= characters <= MOST_CHARACTERS
          if (isWhole) matching.add(log)
        },
        finish() {
          if (workedMs() - began > MOST_PART_MS) restsUntil = now() + REST_MS
          return isWhole ? { ...matching.finish(), hits, edition: by } : undefined
        },
      }
    },
  }
}

const CLOCKS: Clocks = {
  workedMs() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  },
  now: () => performance.now(),
}
