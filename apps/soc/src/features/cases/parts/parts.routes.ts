import type { Http } from '@manara/kit/http'
import {
  CaseParams,
  CasePartQuery,
  Comment,
  CommentCreate,
  Observable,
  ObservableCreate,
  ObservableParams,
  ObservableUpdate,
  Task,
  TaskCreate,
  TaskParams,
  TaskUpdate,
} from '@manara/soc-contract/cases'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import { requires } from '../../../http/permissions.ts'
import { pageOf, showOne } from '../../../showcase/query.ts'
import { toComment, toObservable, toTask } from '../cases/case-record.ts'
import type { CaseDeps } from '../cases/cases.routes.ts'
import { caseById, familyOf } from '../cases/cases.store.ts'
import { addComment } from './add-comment.ts'
import { addObservable } from './add-observable.ts'
import { addTask } from './add-task.ts'
import { listParts } from './read-parts.ts'
import { removeObservable } from './remove-observable.ts'
import { updateObservable } from './update-observable.ts'
import { updateTask } from './update-task.ts'

const tags = ['cases']
type Deps = Pick<CaseDeps, 'db' | 'operatorChange' | 'readThrough'>

/** Observables, comments and tasks. */
export function casePartRoutes(http: Http, { db, operatorChange, readThrough }: Deps) {
  const family = async (caseId: string) => familyOf(db, (await caseById(db, caseId)).id)

  http.get(
    '/cases/:case_id/observables',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'Observables of a case',
        params: CaseParams,
        querystring: CasePartQuery,
        response: { 200: listOf(Observable) },
      },
    },
    ({ params, query }) =>
      readThrough(
        async () =>
          listParts(db, 'case_observables', await family(params.case_id), query, toObservable),
        ({ cases }) => pageOf(showOne('case', cases, params.case_id).observables, query),
      ),
  )

  http.post(
    '/cases/:case_id/observables',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Add an observable',
        params: CaseParams,
        body: ObservableCreate,
        response: { 200: Observable, 201: Observable },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, async (change) => {
        const { case_id } = request.params
        const { observable, isNew } = await addObservable(change, case_id, request.body)
        if (!isNew) reply.code(200)
        return observable
      }),
  )

  http.patch(
    '/cases/:case_id/observables/:observable_id',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Change an observable',
        params: ObservableParams,
        body: ObservableUpdate,
        response: { 200: Observable },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateObservable(change, request.params, request.body),
      ),
  )

  http.delete(
    '/cases/:case_id/observables/:observable_id',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Remove an observable',
        params: ObservableParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        removeObservable(change, request.params.case_id, request.params.observable_id),
      ),
  )

  http.get(
    '/cases/:case_id/comments',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'Comments on a case',
        params: CaseParams,
        querystring: CasePartQuery,
        response: { 200: listOf(Comment) },
      },
    },
    ({ params, query }) =>
      readThrough(
        async () => listParts(db, 'case_comments', await family(params.case_id), query, toComment),
        ({ cases }) => pageOf(showOne('case', cases, params.case_id).comments, query),
      ),
  )

  http.post(
    '/cases/:case_id/comments',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Comment on a case',
        params: CaseParams,
        body: CommentCreate,
        response: { 201: Comment },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        addComment(change, request.params.case_id, request.body),
      ),
  )

  http.get(
    '/cases/:case_id/tasks',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'Tasks of a case',
        params: CaseParams,
        querystring: CasePartQuery,
        response: { 200: listOf(Task) },
      },
    },
    ({ params, query }) =>
      readThrough(
        async () => listParts(db, 'case_tasks', await family(params.case_id), query, toTask),
        ({ cases }) => pageOf(showOne('case', cases, params.case_id).tasks, query),
      ),
  )

  http.post(
    '/cases/:case_id/tasks',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Add a task',
        params: CaseParams,
        body: TaskCreate,
        response: { 201: Task },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        addTask(change, request.params.case_id, request.body),
      ),
  )

  http.patch(
    '/cases/:case_id/tasks/:task_id',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Change the status or assignee of a task',
        params: TaskParams,
        body: TaskUpdate,
        response: { 200: Task },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateTask(change, request.params, request.body),
      ),
  )
}
