import type { Http } from '@manara/kit/http'
import { CaseParams, CasePartQuery } from '@manara/soc-contract/cases'
import {
  Custody,
  Evidence,
  EvidenceCreate,
  EvidenceParams,
  LEDGER_FORMAT,
  LedgerEntry,
  LedgerExport,
  LedgerVerdict,
} from '@manara/soc-contract/evidence'
import { listOf } from '@manara/soc-contract/lists'
import { principalOf } from '../../../core/identity/caller.ts'
import { requires } from '../../../http/permissions.ts'
import { pageOf, showOne } from '../../../showcase/query.ts'
import type { CaseDeps } from '../cases/cases.routes.ts'
import { caseById, familyOf } from '../cases/cases.store.ts'
import { verifyChains } from '../domain/chain-verdict.ts'
import { listParts } from '../parts/read-parts.ts'
import { withCustody } from './read-evidence.ts'
import { readLedger } from './read-ledger.ts'
import { recordCustody } from './record-custody.ts'
import { registerEvidence } from './register-evidence.ts'

const tags = ['cases']

export function evidenceRoutes(http: Http, deps: Omit<CaseDeps, 'alerts'>) {
  const { db, operatorChange, readThrough, now } = deps

  http.get(
    '/cases/:case_id/evidence',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'Evidence of a case, each piece with its custody',
        params: CaseParams,
        querystring: CasePartQuery,
        response: { 200: listOf(Evidence) },
      },
    },
    ({ params, query }) =>
      readThrough(
        async () => {
          const { id } = await caseById(db, params.case_id)
          const page = await listParts(db, 'evidence', await familyOf(db, id), query, (row) => row)
          return { ...page, items: await withCustody(db, page.items) }
        },
        ({ cases }) => pageOf(showOne('case', cases, params.case_id).evidence, query),
      ),
  )

  http.post(
    '/cases/:case_id/evidence',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Register evidence in the ledger',
        params: CaseParams,
        body: EvidenceCreate,
        response: { 201: Evidence },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        registerEvidence(change, request.params.case_id, request.body, now()),
      ),
  )

  http.post(
    '/cases/:case_id/evidence/:evidence_id/custody',
    {
      ...requires('cases:write'),
      schema: {
        tags,
        summary: 'Record what happened to a piece of evidence',
        params: EvidenceParams,
        body: Custody,
        response: { 201: LedgerEntry },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        recordCustody(change, request.params, request.body, now()),
      ),
  )

  http.get(
    '/cases/:case_id/evidence/verify',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'Recompute the ledger; names the first bad entry',
        params: CaseParams,
        response: { 200: LedgerVerdict },
      },
    },
    ({ params }) => readThrough(async () => verifyChains(await readLedger(db, params.case_id))),
  )

  http.get(
    '/cases/:case_id/evidence/export',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'The ledger as one file that verifies offline',
        params: CaseParams,
        response: { 200: LedgerExport },
      },
    },
    (request, reply) =>
      readThrough(async () => {
        const chains = await readLedger(db, request.params.case_id)
        const caseId = chains[0]?.case_id ?? request.params.case_id
        reply.header('content-disposition', `attachment; filename="evidence-${caseId}.json"`)
        return {
          format: LEDGER_FORMAT,
          case_id: caseId,
          exported_at: now().toISOString(),
          exported_by: principalOf(request).username,
          chains,
        } satisfies LedgerExport
      }),
  )
}
