import { notFound } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import {
  type ScheduleBody,
  type SchedulePatch,
  ScheduleResult,
} from '@manara/player-contract/schedules'
import { Target } from '@manara/player-contract/target'
import { written } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'

export type StoredSchedule = {
  id: number
  hour: number
  minute: number
  days: number
  target: Target
  volume: number | null
  enabled: boolean
  /** Unix milliseconds; null until the clock can be trusted. */
  armed_at: number | null
  last_result: ScheduleResult | null
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>

type Row = Omit<StoredSchedule, 'target' | 'enabled' | 'last_result'> & {
  target: string
  enabled: number
  last_result: string | null
}

/**
 * Read once and kept in memory, since planning looks at all of them; on disk before a call returns.
 * What a full disk does not take of what happens by itself, memory alone knows.
 */
export function createScheduleStore(db: Db, log: Pick<Logger, 'warn'>) {
  const rows = db.prepare('SELECT * FROM schedules ORDER BY id').all() as Row[]
  // What a later version may have kept for a target is left to it.
  const known = rows.map(fromRow).filter(({ target }) => Target.safeParse(target).success)
  const all = new Map(known.map((schedule) => [schedule.id, schedule]))
  const insert = db.prepare(
    `INSERT INTO schedules (hour, minute, days, target, volume, enabled, armed_at)
     VALUES (?, ?, ?, ?, ?, 1, ?) RETURNING *`,
  )
  const update = db.prepare(
    `UPDATE schedules SET hour = ?, minute = ?, days = ?, target = ?, volume = ?, enabled = ?,
       armed_at = ?, last_result = ? WHERE id = ?`,
  )
  const remove = db.prepare('DELETE FROM schedules WHERE id = ?')

  function get(id: number): StoredSchedule {
    const schedule = all.get(id)
    if (!schedule) throw notFound('schedule', id)
    return schedule
  }

  function write(next: StoredSchedule) {
    const { id, hour, minute, days, target, volume, enabled, armed_at, last_result } = next
    const result = last_result && JSON.stringify(last_result)
    const chosen = JSON.stringify(target)
    update.run(hour, minute, days, chosen, volume, Number(enabled), armed_at, result, id)
  }

  /** What somebody has changed; throws when it cannot be kept. */
  function save(next: StoredSchedule): StoredSchedule {
    write(next)
    all.set(next.id, next)
    return next
  }

  /** What has become of it: it would else fire again, and those after it never. */
  function note(next: StoredSchedule) {
    all.set(next.id, next)
    try {
      write(next)
    } catch (error) {
      log.warn({ err: error, schedule: next.id }, 'what became of a schedule could not be kept')
    }
  }

  return {
    all: () => [...all.values()],
    find: (id: number) => all.get(id),
    get,

    add({ hour, minute, days, target, volume = null }: ScheduleBody, armed_at: number | null) {
      const chosen = JSON.stringify(target)
      const row = written(insert, hour, minute, days, chosen, volume, armed_at) as Row
      const schedule = fromRow(row)
      all.set(schedule.id, schedule)
      return schedule
    },

    edit: (id: number, patch: SchedulePatch, armed_at: number | null) =>
      save({ ...get(id), ...(patch as Partial<StoredSchedule>), armed_at }),

    /** Those that wait for a clock, or whose clock has gone back behind them, count from now. */
    arm(now: number, isForced = false) {
      for (const known of all.values()) {
        const { armed_at } = known
        const schedule = isStillAhead(known, now)
          ? { ...known, enabled: known.enabled || isSkippedOnce(known), last_result: null }
          : known
        const isToCount = isForced || armed_at === null || armed_at > now
        if (isToCount) note({ ...schedule, armed_at: Math.floor(now) })
        else if (schedule !== known) note(schedule)
      }
    },

    record: (id: number, last_result: ScheduleResult, enabled: boolean) =>
      note({ ...get(id), last_result, enabled }),

    remove(id: number) {
      get(id)
      remove.run(id)
      all.delete(id)
    },
  }
}

const HOUR_MS = 3_600_000

const isSkipped = ({ last_result }: StoredSchedule) => last_result?.outcome === 'skipped'

const isSkippedOnce = (schedule: StoredSchedule) => schedule.days === 0 && isSkipped(schedule)

/** By a clock which was wrong: its time has not come yet. What was heard stands when it is corrected a little. */
const isStillAhead = (schedule: StoredSchedule, now: number) =>
  (schedule.last_result?.at ?? 0) * 1000 > now + (isSkipped(schedule) ? 0 : HOUR_MS)

const fromRow = (row: Row): StoredSchedule => ({
  ...row,
  target: JSON.parse(row.target),
  enabled: row.enabled === 1,
  last_result: resultOf(row.last_result ?? ''),
})

/** None rather than no schedule. */
function resultOf(text: string): ScheduleResult | null {
  try {
    return ScheduleResult.parse(JSON.parse(text))
  } catch {
    return null
  }
}
