import type { Http } from '@manara/kit/http'
import { AuditList, AuditListQuery, AuditVerdict } from '@manara/soc-contract/audit'
import type { Kysely } from 'kysely'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { listAudit } from './list-audit.ts'
import { verifyAudit } from './verify-audit.ts'

export type AuditDeps = Reads & { db: Kysely<Tables> }

const tags = ['audit']

export function auditRoutes(http: Http, { db, readThrough }: AuditDeps) {
  http.get(
    '/audit',
    {
      ...requires('audit:read'),
      schema: {
        tags,
        summary: 'Sign-ins, refusals and changes',
        querystring: AuditListQuery,
        response: { 200: AuditList },
      },
    },
    ({ query }) => readThrough(() => listAudit(db, query)),
  )

  http.get(
    '/audit/verify',
    {
      ...requires('audit:read'),
      schema: { tags, summary: 'Check the hash chain', response: { 200: AuditVerdict } },
    },
    () => readThrough(() => verifyAudit(db)),
  )
}
