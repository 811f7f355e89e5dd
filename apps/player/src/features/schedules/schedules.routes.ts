import type { Http } from '@manara/kit/http'
import { DeleteResult, IdParams } from '@manara/player-contract/records'
import {
  EnableBody,
  ScheduleBody,
  ScheduleList,
  SchedulePatch,
  ScheduleReply,
} from '@manara/player-contract/schedules'
import type { Target } from '@manara/player-contract/target'
import { recordId } from '../../http/record-id.ts'
import { keyOf } from './agenda.ts'
import { describeSchedule, type ListDeps, listSchedules } from './list-schedules.ts'
import type { StoredSchedule } from './schedules.store.ts'

export type ScheduleDeps = ListDeps & {
  /** Throws 400 naming the field of the target that leads nowhere. */
  checkTarget(target: Target): Promise<void>
  /** What fired before no longer counts, and what waits for the adhan is not wanted any more. */
  forget(key: string): void
  /** The plan has to be made anew, and clients to be told. */
  onChange(): void
}

const tags = ['schedules']
const reply = { 200: ScheduleReply }
const TIMING = ['hour', 'minute', 'days', 'enabled'] as const

export function scheduleRoutes(http: Http, deps: ScheduleDeps) {
  const { store, wall } = deps
  const armedAt = () => (wall.isTrusted() ? Math.floor(wall.now()) : null)

  function changed(schedule: StoredSchedule) {
    deps.onChange()
    return { success: true, ...describeSchedule(deps, schedule) } as const
  }

  /** A new time counts from now; a new volume or target leaves it as it was. */
  function edit(id: number, patch: SchedulePatch) {
    const before = store.get(id)
    // Who changes the volume may send the time along with it.
    const isNewTiming = TIMING.some((field) => (patch[field] ?? before[field]) !== before[field])
    if (isNewTiming) deps.forget(keyOf({ id }))
    return changed(store.edit(id, patch, isNewTiming ? armedAt() : before.armed_at))
  }

  http.get(
    '/schedules',
    { schema: { tags, summary: 'All schedules', response: { 200: ScheduleList } } },
    () => ({ schedules: listSchedules(deps) }),
  )

  http.post(
    '/schedules',
    { schema: { tags, summary: 'Add a schedule', body: ScheduleBody, response: reply } },
    async ({ body }) => {
      await deps.checkTarget(body.target)
      return changed(store.add(body, armedAt()))
    },
  )

  http.patch(
    '/schedules/:id',
    {
      schema: {
        tags,
        summary: 'Change a schedule; what is left out stays',
        params: IdParams,
        body: SchedulePatch,
        response: reply,
      },
    },
    async ({ params, body }) => {
      const id = recordId('schedule', params.id)
      store.get(id)
      if (body.target) await deps.checkTarget(body.target)
      return edit(id, body)
    },
  )

  http.post(
    '/schedules/:id/enable',
    {
      schema: {
        tags,
        summary: 'Switch a schedule on or off',
        params: IdParams,
        body: EnableBody,
        response: reply,
      },
    },
    ({ params, body }) => edit(recordId('schedule', params.id), body),
  )

  http.delete(
    '/schedules/:id',
    {
      schema: {
        tags,
        summary: 'Remove a schedule',
        params: IdParams,
        response: { 200: DeleteResult },
      },
    },
    ({ params }) => {
      const id = recordId('schedule', params.id)
      store.remove(id)
      deps.forget(keyOf({ id }))
      deps.onChange()
      return { success: true, id } as const
    },
  )
}
