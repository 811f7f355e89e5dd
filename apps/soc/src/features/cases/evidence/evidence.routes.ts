import type { Http } from '@manara/kit/http'
import { CaseParams, EvidenceListQuery } from '@manara/soc-contract/cases'
import {
  Custody,
  Erasure,
  Evidence,
  EvidenceCreate,
  EvidenceParams,
  LedgerEntry,
  LedgerEntryParams,
  LedgerExport,
  LedgerVerdict,
} from '@manara/soc-contract/evidence'
import { listOf } from '@manara/soc-contract/lists'
import { EntryProof } from '@manara/soc-contract/proofs'
import { principalOf } from '../../../core/identity/caller.ts'
import type { Witness } from '../../../core/proofs/witness.ts'
import { requires, requiresRole } from '../../../http/permissions.ts'
import { pageOf, showOne } from '../../../showcase/query.ts'
import type { CaseDeps } from '../cases/cases.routes.ts'
import { caseById, familyOf } from '../cases/cases.store.ts'
import { listParts } from '../parts/read-parts.ts'
import { eraseEntry } from './erase-entry.ts'
import { exportLedger, proveLedgerEntry, verifyLedger } from './export-ledger.ts'
import { evidenceWith, isEvidenceWith, withCustody } from './read-evidence.ts'
import { recordCustody } from './record-custody.ts'
import { registerEvidence } from './register-evidence.ts'

const tags = ['cases']

export type EvidenceDeps = Omit<CaseDeps, 'alerts'> & { witness: Witness }

export function evidenceRoutes(http: Http, deps: EvidenceDeps) {
  const { db, operatorChange, readThrough, now, witness } = deps

  http.get(
    '/cases/:case_id/evidence',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'Evidence of a case, each piece with its custody',
        params: CaseParams,
        querystring: EvidenceListQuery,
        response: { 200: listOf(Evidence) },
      },
    },
    ({ params, query }) =>
      readThrough(
        async () => {
          const { id } = await caseById(db, params.case_id)
          const family = await familyOf(db, id)
          const where = evidenceWith(query.q)
          const page = await listParts(db, 'evidence', family, query, (row) => row, where)
          return { ...page, items: await withCustody(db, page.items, query.custody) }
        },
        ({ cases }) => {
          const { evidence } = showOne('case', cases, params.case_id)
          return pageOf(evidence.filter(isEvidenceWith(query.q)), query)
        },
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
    ({ params }) => readThrough(() => verifyLedger(db, witness, params.case_id)),
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
        const by = principalOf(request).username
        const file = await exportLedger(db, witness, request.params.case_id, { by, now: now() })
        reply.header('content-disposition', `attachment; filename="evidence-${file.case_id}.json"`)
        return file
      }),
  )

  http.get(
    '/cases/:case_id/evidence/ledger/:seq/proof',
    {
      ...requires('cases:read'),
      schema: {
        tags,
        summary: 'Prove that an entry is in the signed ledger, without the others',
        params: LedgerEntryParams,
        response: { 200: EntryProof },
      },
    },
    ({ params }) => readThrough(() => proveLedgerEntry(db, witness, params.case_id, params.seq)),
  )

  http.post(
    '/cases/:case_id/evidence/ledger/:seq/erase',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'Erase personal data from an entry of the ledger',
        description:
          'Its details are gone for good, in the audit log too; the chain still holds, and its next entry says who erased them and why.',
        params: LedgerEntryParams,
        body: Erasure,
        response: { 201: LedgerEntry },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        eraseEntry(change, request.params.case_id, request.params.seq, {
          reason: request.body.reason,
          now: now(),
        }),
      ),
  )
}
