import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { createWorker } from '../../../db/worker.ts'
import type { EventCounts } from './count-events.ts'
import { silentFrom } from './domain/rhythm.ts'
import { addCounts, beat, readHistory, readWatchedHours, tidySources } from './sources.store.ts'
import {
  announceSources,
  clearSilence,
  type QuietSource,
  type TellDeps,
  tellSilence,
} from './tell-sources.ts'

export type WatchDeps = TellDeps & {
  db: Kysely<Tables>
  counts: EventCounts
  now(): number
  isReady(): boolean
  /** Counts what a process that was killed did not come to; once, before anything else. */
  recover?(): Promise<void>
  log: Logger
}

const FLUSH_MS = 5_000
const LOOK_MS = 15_000
const TIDY_MS = 3_600_000
/** Nobody is looked at who spoke more recently. */
const QUIET_MS = 15 * 60_000
const AT_ONCE = 200
/** Sources that stop within this time of each other, and then nobody: it is the way to us. */
const TOGETHER_MS = 5 * 60_000

/**
 * Writes down what came from whom, and tells of sources that are new, silent, or back. Several
 * processes may do this at once: each tale is told with the change of the row that says so.
 */
export function watchSources(deps: WatchDeps) {
  const { db, counts, now, isReady, log } = deps
  let tidiedAt = 0
  let lookedAt = 0
  let isNews = true
  let isRecovered = false

  async function flush() {
    const taken = counts.take()
    if (taken.length === 0) return
    try {
      if (await addCounts(db, taken)) isNews = true
    } catch (error) {
      counts.putBack(taken)
      throw error
    }
  }

  async function pass(): Promise<boolean> {
    if (!isRecovered) await deps.recover?.()
    isRecovered = true
    const moment = now()
    const isTime = Math.abs(moment - lookedAt) >= LOOK_MS
    // Before what came is written: a pause of ours is no silence of who speaks again.
    const watch = isTime ? await beat(db, moment) : undefined
    await flush()
    if (isNews) {
      isNews = false
      await announceSources(deps)
      await clearSilence(deps, moment)
    }
    if (!watch) return false
    lookedAt = moment
    if (!watch.isIntakeSilent) await look(watch.upSince, moment)
    // Not by a clock that has just jumped: what is learnt would be too old.
    const isSteady = moment - watch.upSince >= TIDY_MS
    if (isSteady && Math.abs(moment - tidiedAt) >= TIDY_MS) {
      tidiedAt = moment
      await tidySources(db, moment)
    }
    return false
  }

  /** Each quiet source is looked into once, until it speaks again or its time is up. */
  async function look(upSince: number, moment: number) {
    const quiet = await quietSources(db, moment)
    if (quiet.length === 0) return
    const watched = await readWatchedHours(db, moment)
    const due: QuietSource[] = []
    for (const one of quiet) {
      const since = Math.max(one.last_received_at.getTime(), upSince)
      const at = silentFrom(await readHistory(db, one, watched, moment), since, moment)
      if (at !== undefined && at <= moment) due.push(one)
      else await expect(db, one, at, moment)
    }
    if (due.length > 0) await tellSilence(deps, due, await stoppedTogether(db, moment), moment)
  }

  const worker = createWorker({ pass, isReady, pollMs: FLUSH_MS, gapMs: 0, log })
  return {
    start: worker.start,
    /** For tests, which turn the clock themselves. */
    pass,
    async stop() {
      await worker.stop()
      if (isReady()) await flush().catch(() => {})
    },
  }
}

const quietSources = (db: Kysely<Tables>, now: number): Promise<QuietSource[]> =>
  db
    .selectFrom('log_sources')
    .select(['source', 'first_received_at', 'last_received_at'])
    .where('last_received_at', '<', new Date(now - QUIET_MS))
    .where('silent_since', 'is', null)
    .where((where) =>
      where.or([
        where('looked_at', 'is', null),
        where('expected_by', '<=', new Date(now)),
        where('looked_at', '<', new Date(now - 86_400_000)),
      ]),
    )
    .orderBy('last_received_at', 'desc')
    .limit(AT_ONCE)
    .execute()

async function expect(
  db: Kysely<Tables>,
  { source, last_received_at }: QuietSource,
  at: number | undefined,
  now: number,
) {
  await db
    .updateTable('log_sources')
    .set({ expected_by: at === undefined ? null : new Date(at), looked_at: new Date(now) })
    .where('source', '=', source)
    .where('last_received_at', '=', last_received_at)
    .execute()
}

/** Since when nobody at all speaks, where several stopped at the same time. */
async function stoppedTogether(db: Kysely<Tables>, now: number): Promise<Date | undefined> {
  const { last } = await db
    .selectFrom('log_sources')
    .select(({ fn }) => fn.max('last_received_at').as('last'))
    .executeTakeFirstOrThrow()
  if (!last || now - last.getTime() < QUIET_MS) return undefined
  const { count } = await db
    .selectFrom('log_sources')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('last_received_at', '>=', new Date(last.getTime() - TOGETHER_MS))
    .executeTakeFirstOrThrow()
  return Number(count) > 1 ? last : undefined
}
