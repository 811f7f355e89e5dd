import type { Http } from '@manara/kit/http'
import {
  AuditList,
  AuditListQuery,
  AuditParams,
  AuditRecord,
  AuditVerdict,
} from '@manara/soc-contract/audit'
import { Erasure } from '@manara/soc-contract/evidence'
import { EntryProof, PublicKeys } from '@manara/soc-contract/proofs'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import { pemOf } from '../../core/proofs/signer.ts'
import type { Witness } from '../../core/proofs/witness.ts'
import type { Tables } from '../../db/tables.ts'
import { requires, requiresRole } from '../../http/permissions.ts'
import { eraseDetails } from './erase-details.ts'
import { listAudit } from './list-audit.ts'
import { proveEntry } from './prove-entry.ts'
import { verifyAudit } from './verify-audit.ts'

export type AuditDeps = Reads & { db: Kysely<Tables>; witness: Witness } & Pick<
    Changes,
    'operatorChange'
  >

const tags = ['audit']

export function auditRoutes(http: Http, deps: AuditDeps) {
  const { db, readThrough, witness, operatorChange } = deps

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
      schema: {
        tags,
        summary: 'Check the hash chain, and against what was signed outside the database',
        response: { 200: AuditVerdict },
      },
    },
    () => readThrough(() => verifyAudit(db, witness)),
  )

  http.get(
    '/audit/keys',
    {
      ...requires('audit:read'),
      schema: {
        tags,
        summary: 'The public keys that heads and exports are signed with',
        response: { 200: PublicKeys },
      },
    },
    () => ({
      current: witness.currentKeyId,
      keys: [...witness.keys].map(([key_id, key]) => ({ key_id, pem: pemOf(key) })),
    }),
  )

  http.get(
    '/audit/:id/proof',
    {
      ...requires('audit:read'),
      schema: {
        tags,
        summary: 'Prove that an entry is in the signed log, without the others',
        params: AuditParams,
        response: { 200: EntryProof },
      },
    },
    ({ params }) => readThrough(() => proveEntry(db, witness, params.id)),
  )

  http.post(
    '/audit/:id/erase',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'Erase personal data from an entry',
        description:
          'Its detail, before, after and address are gone for good; the chain still holds, and a new entry says who erased them and why.',
        params: AuditParams,
        body: Erasure,
        response: { 200: AuditRecord },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        eraseDetails(change, request.params.id, request.body.reason),
      ),
  )
}
