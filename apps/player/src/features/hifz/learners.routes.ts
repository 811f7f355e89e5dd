import type { Http } from '@manara/kit/http'
import {
  GradeBody,
  LearnerBody,
  LearnerExport,
  LearnerList,
  LearnerReply,
  PlanBody,
  PlayedLesson,
  PlayLessonBody,
  Progress,
  Today,
} from '@manara/player-contract/learners'
import { DeleteResult, IdParams } from '@manara/player-contract/records'
import { recordId } from '../../http/record-id.ts'
import type { LearnerStore } from './learners.store.ts'
import type { Lessons } from './lessons.ts'

export type LearnerRouteDeps = {
  store: LearnerStore
  lessons: Lessons
  /** Erases what else is about this learner, in the same step. */
  alsoErase(id: number): void
  onChange(id: number): void
}

const tags = ['hifz']
const params = IdParams
const reply = { 200: LearnerReply }

const idOf = ({ id }: { id: string }) => recordId('learner', id)

export function learnerRoutes(http: Http, deps: LearnerRouteDeps) {
  const { store, lessons, onChange } = deps
  const schema = (summary: string) => ({ tags, summary })

  http.get(
    '/hifz/learners',
    { schema: { ...schema('Learners, with what is due today'), response: { 200: LearnerList } } },
    () => ({ learners: lessons.all() }),
  )

  http.post(
    '/hifz/learners',
    {
      schema: {
        ...schema('Add a learner by a nickname'),
        body: LearnerBody,
        response: reply,
      },
    },
    ({ body }) => {
      const learner = store.add(body.name)
      onChange(learner.id)
      return { success: true, ...learner } as const
    },
  )

  http.patch(
    '/hifz/learners/:id',
    { schema: { ...schema('Change the nickname'), params, body: LearnerBody, response: reply } },
    ({ params, body }) => {
      const learner = store.rename(idOf(params), body.name)
      onChange(learner.id)
      return { success: true, ...learner } as const
    },
  )

  http.delete(
    '/hifz/learners/:id',
    {
      schema: {
        ...schema('Erase a learner with plan, portions, grades, dates and cards'),
        params,
        response: { 200: DeleteResult },
      },
    },
    ({ params }) => {
      const id = idOf(params)
      store.erase(id, () => deps.alsoErase(id))
      onChange(id)
      return { success: true, id } as const
    },
  )

  http.put(
    '/hifz/learners/:id/plan',
    {
      schema: {
        ...schema('Set the plan; what was learnt stays'),
        params,
        body: PlanBody,
        response: reply,
      },
    },
    ({ params, body }) => ({ success: true, ...lessons.setPlan(idOf(params), body) }) as const,
  )

  http.get(
    '/hifz/learners/:id/today',
    { schema: { ...schema('What is due today'), params, response: { 200: Today } } },
    ({ params }) => lessons.today(idOf(params)),
  )

  http.post(
    '/hifz/learners/:id/play',
    {
      schema: {
        ...schema('Play the next portion of a part of today’s lesson'),
        params,
        body: PlayLessonBody,
        response: { 200: PlayedLesson },
      },
    },
    async ({ params, body }) =>
      ({ success: true, ...(await lessons.play(idOf(params), body)) }) as const,
  )

  http.post(
    '/hifz/learners/:id/grades',
    {
      schema: {
        ...schema('Grade verses; those that were not learnt are, unless the grade is again'),
        params,
        body: GradeBody,
        response: reply,
      },
    },
    ({ params, body }) => {
      const id = idOf(params)
      lessons.grade(id, body)
      return { success: true, ...store.get(id) } as const
    },
  )

  http.get(
    '/hifz/learners/:id/progress',
    { schema: { ...schema('What was learnt, and how well'), params, response: { 200: Progress } } },
    ({ params }) => lessons.progress(idOf(params)),
  )

  http.get(
    '/hifz/learners/:id/export',
    {
      schema: {
        ...schema('All that is kept about a learner'),
        params,
        response: { 200: LearnerExport },
      },
    },
    ({ params }, reply) => {
      const id = idOf(params)
      reply.header('content-disposition', `attachment; filename="learner-${id}.json"`)
      return lessons.exportAll(id)
    },
  )
}
