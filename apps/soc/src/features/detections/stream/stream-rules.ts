import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { SharedRules } from '../../../core/arrivals/matched.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Matcher } from './matcher.ts'
import type { MatchRule } from './rule-set.ts'
import { enabledVersions, matchRules } from './stream.store.ts'

// What one message to the thread carries: compiling more would keep arriving events waiting.
const MOST_AT_ONCE = 500
// So many are matched where events are read: each of those threads has them in memory.
const MOST_SHARED = 300

type Changed = [id: string, of: { version: number }]

/** The rules that are on, as the matching thread knows them; it runs only while there are any. */
export function createStreamRules(deps: {
  db: Kysely<Tables>
  startMatcher(): Matcher
  shareRules?(rules: SharedRules<MatchRule> | undefined): void
  now(): number
  log: Pick<Logger, 'warn'>
}) {
  let matcher: Matcher | undefined
  let known = new Map<string, number>()
  /** Those that are matched where events are read; undefined while there are too many. */
  let shared: Map<string, SharedRules<MatchRule>['rules'][number]> | undefined = new Map()
  let edition = 0

  /** Takes over what has changed since the last time, and says when each of it was changed. */
  async function refresh(): Promise<number[]> {
    const current = await enabledVersions(deps.db)
    if (current.size === 0) {
      await drop()
      return []
    }
    matcher ??= deps.startMatcher()
    const gone = [...known.keys()].filter((id) => !current.has(id))
    const isNewlyShared = !shared && current.size <= MOST_SHARED
    const isKnown = (id: string, version: number) => !isNewlyShared && known.get(id) === version
    const changed = [...current].filter(([id, { version }]) => !isKnown(id, version))
    if (gone.length === 0 && changed.length === 0) return []
    // What was found by the rules as they were is worth nothing from here on.
    edition += 1
    shared = current.size <= MOST_SHARED ? (shared ?? new Map()) : undefined
    try {
      await take(matcher, gone, changed)
    } catch (error) {
      // Its thread may have died, which nobody else would notice.
      await drop()
      throw error
    }
    deps.shareRules?.(shared && { edition, rules: [...shared.values()] })
    return changed.map(([, { since }]) => since)
  }

  async function take(to: Matcher, gone: string[], changed: Changed[]) {
    if (gone.length > 0) await to.delete(gone)
    for (const id of gone) {
      known.delete(id)
      shared?.delete(id)
    }
    for (let at = 0; at < changed.length; at += MOST_AT_ONCE) {
      await send(to, changed.slice(at, at + MOST_AT_ONCE))
    }
  }

  async function send(to: Matcher, changed: Changed[]) {
    const now = deps.now()
    const versions = new Map(changed.map(([id, { version }]) => [id, version]))
    const rules = await matchRules(deps.db, [...versions.keys()])
    for (const { rule, reason } of await to.set(rules, now)) {
      deps.log.warn({ rule, reason }, 'a rule cannot be evaluated on arriving events')
    }
    for (const rule of rules) {
      const { id } = rule
      shared?.set(id, { id, key: `${versions.get(id)} ${edition}`, now, rule })
    }
    // A new map: who matches at this moment does so by the old one.
    known = new Map([...known, ...versions])
  }

  /** The thread with all it knows; the next refresh begins anew. */
  async function drop(): Promise<void> {
    const last = matcher
    matcher = undefined
    known = new Map()
    shared = new Map()
    edition += 1
    deps.shareRules?.(undefined)
    await last?.close()
  }

  return {
    refresh,
    drop,
    matcher: () => matcher,
    /** Another one after every change. */
    edition: () => edition,
    /** As the thread knows each rule. */
    versions: (): ReadonlyMap<string, number> => known,
  }
}
