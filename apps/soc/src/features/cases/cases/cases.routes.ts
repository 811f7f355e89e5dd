import type { Http } from '@manara/kit/http'
import {
  Case,
  CaseCreate,
  CaseDetail,
  CaseDetailQuery,
  CaseIds,
  CaseListQuery,
  CaseParams,
  CaseUpdate,
} from '@manara/soc-contract/cases'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import { showOne } from '../../../showcase/query.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { deleteCase } from './delete-case.ts'
import { listCases } from './list-cases.ts'
import { mergeCases } from './merge-cases.ts'
import { openCase } from './open-case.ts'
import { caseDetail } from './read-case.ts'
import { showCases, withLatest } from './show-cases.ts'
import { unmergeCases } from './unmerge-cases.ts'
import { updateCase } from './update-case.ts'

export type CaseDeps = {
  db: Kysely<Tables>
  alerts: AlertsOfCases
  now(): Date
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['cases']

export function caseRoutes(http: Http, deps: CaseDeps) {
  const { db, alerts, operatorChange, readThrough } = deps

  http.get(
    '/cases',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'List cases',
        querystring: CaseListQuery,
        response: { 200: listOf(Case) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listCases(alerts, db, query),
        ({ cases }) => showCases(cases, query),
      ),
  )

  http.post(
    '/cases',
    {
      ...requires('cases:write'),
      schema: { tags, summary: 'Open a case', body: CaseCreate, response: { 201: CaseDetail } },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => openCase(alerts, change, request.body)),
  )

  http.get(
    '/cases/:case_id',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'One case with all that belongs to it',
        description:
          'With `latest` only so many of its timeline, observables, evidence and comments come, the newest, and `counts` says how many there are. With `custody=count` each piece has `custody_count` instead of its entries.',
        params: CaseParams,
        querystring: CaseDetailQuery,
        response: { 200: CaseDetail },
      },
    },
    ({ params, query }) =>
      readThrough(
        () => caseDetail(alerts, db, params.case_id, query),
        ({ cases }) => withLatest(showOne('case', cases, params.case_id), query.latest),
      ),
  )

  http.patch(
    '/cases/:case_id',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Change a case; 409 when `version` is stale',
        params: CaseParams,
        querystring: CaseDetailQuery,
        body: CaseUpdate,
        response: { 200: CaseDetail },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateCase(alerts, change, request.params.case_id, request.body, request.query),
      ),
  )

  http.delete(
    '/cases/:case_id',
    {
      ...requires('cases:delete'),
      schema: {
        tags,
        summary: 'Delete a case; its alerts return to triaged, its ledger stays',
        params: CaseParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        deleteCase(alerts, change, request.params.case_id),
      ),
  )

  http.post(
    '/cases/:case_id/merge',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Make other cases part of this one',
        params: CaseParams,
        querystring: CaseDetailQuery,
        body: CaseIds,
        response: { 200: CaseDetail },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        mergeCases(alerts, change, request.params.case_id, request.body.case_ids, request.query),
      ),
  )

  http.post(
    '/cases/:case_id/unmerge',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Let merged cases stand alone again',
        params: CaseParams,
        querystring: CaseDetailQuery,
        body: CaseIds,
        response: { 200: CaseDetail },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        unmergeCases(alerts, change, request.params.case_id, request.body.case_ids, request.query),
      ),
  )
}
