import type { Http } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import {
  Report,
  ReportCreate,
  type ReportFormat,
  ReportListQuery,
  ReportParams,
} from '@manara/soc-contract/reports'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { pageOf } from '../../showcase/query.ts'
import { listReports, reportById, toReport } from './reports.store.ts'
import { type ReportSources, storeReport, writeReport } from './write-report.ts'

export type ReportDeps = { db: Kysely<Tables>; sources: ReportSources } & Pick<
  Changes,
  'operatorChange'
> &
  Reads

const tags = ['reports']

const FILES: Record<ReportFormat, { type: string; ending: string }> = {
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  html: { type: 'text/html; charset=utf-8', ending: 'html' },
  pdf: { type: 'application/pdf', ending: 'pdf' },
}

export function reportRoutes(http: Http, deps: ReportDeps) {
  const { db, operatorChange, readThrough, sources } = deps

  http.get(
    '/reports',
    {
      ...requires('reports:read'),
      schema: {
        tags,
        summary: 'List reports, without their content',
        querystring: ReportListQuery,
        response: { 200: listOf(Report) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listReports(db, query),
        () => pageOf<Report>([], query),
      ),
  )

  http.post(
    '/reports',
    {
      ...requires('reports:read', 'cases:write'),
      schema: {
        tags,
        summary: 'Write a report about a case, or about the last thirty days',
        body: ReportCreate,
        response: { 201: Report },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, storeReport, () => writeReport(sources, request.body)),
  )

  http.get(
    '/reports/:report_id',
    {
      ...requires('reports:read'),
      schema: { tags, summary: 'One report', params: ReportParams, response: { 200: Report } },
    },
    ({ params }) =>
      readThrough(async () => {
        const row = await reportById(db, params.report_id)
        return toReport(row, row.content)
      }),
  )

  http.get(
    '/reports/:report_id/download',
    {
      ...requires('reports:read'),
      schema: { tags, summary: 'The report as a file', params: ReportParams },
    },
    async ({ params }, reply) => {
      const row = await readThrough(() => reportById(db, params.report_id))
      const { type, ending } = FILES[row.format]
      return reply
        .type(type)
        .header('content-disposition', `attachment; filename="report-${row.id}.${ending}"`)
        .header('x-content-type-options', 'nosniff')
        .send(row.content)
    },
  )
}
