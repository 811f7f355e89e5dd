import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Matcher } from './matcher.ts'
import { enabledVersions, matchRules } from './stream.store.ts'

// What one message to the thread carries: compiling more would keep arriving events waiting.
const MOST_AT_ONCE = 500

/** The rules that are on, as the matching thread knows them; it runs only while there are any. */
export function createStreamRules(deps: {
  db: Kysely<Tables>
  startMatcher(): Matcher
  now(): number
  log: Pick<Logger, 'warn'>
}) {
  let matcher: Matcher | undefined
  let known = new Map<string, number>()

  /** Takes over what has changed since the last time, and says when each of it was changed. */
  async function refresh(): Promise<number[]> {
    const current = await enabledVersions(deps.db)
    if (current.size === 0) {
      await drop()
      return []
    }
    matcher ??= deps.startMatcher()
    const gone = [...known.keys()].filter((id) => !current.has(id))
    if (gone.length > 0) await matcher.delete(gone)
    for (const id of gone) known.delete(id)
    const changed = [...current].filter(([id, { version }]) => known.get(id) !== version)
    for (let at = 0; at < changed.length; at += MOST_AT_ONCE) {
      await send(matcher, changed.slice(at, at + MOST_AT_ONCE))
    }
    return changed.map(([, { since }]) => since)
  }

  async function send(to: Matcher, changed: [id: string, of: { version: number }][]) {
    const rules = await matchRules(
      deps.db,
      changed.map(([id]) => id),
    )
    for (const { rule, reason } of await to.set(rules, deps.now())) {
      deps.log.warn({ rule, reason }, 'a rule cannot be evaluated on arriving events')
    }
    // A new map: who matches at this moment does so by the old one.
    known = new Map([...known, ...changed.map(([id, { version }]) => [id, version] as const)])
  }

  /** The thread with all it knows; the next refresh begins anew. */
  async function drop(): Promise<void> {
    const last = matcher
    matcher = undefined
    known = new Map()
    await last?.close()
  }

  return {
    refresh,
    drop,
    matcher: () => matcher,
    /** As the thread knows each rule. */
    versions: (): ReadonlyMap<string, number> => known,
  }
}
