import type { Http } from '@manara/kit/http'
import { FieldChange } from '@manara/soc-contract/approvals'
import { ListQuery, listOf } from '@manara/soc-contract/lists'
import {
  PlaybookDiffQuery,
  PlaybookParams,
  PlaybookRevision,
  PlaybookRevisionParams,
} from '@manara/soc-contract/playbooks'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import { compareRevisions, listRevisions, revisionOf } from './revisions.store.ts'

const tags = ['soar']

const Comparison = z.object({
  playbook_id: z.string(),
  from: z.int(),
  to: z.int(),
  changes: z.array(FieldChange),
})

/** The history of a playbook. */
export function revisionRoutes(
  http: Http,
  { db, readThrough }: { db: Kysely<Tables> } & Pick<Reads, 'readThrough'>,
) {
  http.get(
    '/soar/playbooks/:playbook_id/versions',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'Every state a playbook was in, newest first',
        params: PlaybookParams,
        querystring: ListQuery.pick({ skip: true, limit: true, cursor: true }),
        response: { 200: listOf(PlaybookRevision) },
      },
    },
    ({ params, query }) => readThrough(() => listRevisions(db, params.playbook_id, query)),
  )

  http.get(
    '/soar/playbooks/:playbook_id/versions/:revision',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'A playbook as it was',
        params: PlaybookRevisionParams,
        response: { 200: PlaybookRevision },
      },
    },
    ({ params }) =>
      readThrough(() => revisionOf(db, params.playbook_id, numberOf(params.revision))),
  )

  http.get(
    '/soar/playbooks/:playbook_id/diff',
    {
      ...requires('soar:read'),
      schema: {
        tags,
        summary: 'What became what between two states',
        description: 'Without `to` the newest; without `from` the one before that.',
        params: PlaybookParams,
        querystring: PlaybookDiffQuery,
        response: { 200: Comparison },
      },
    },
    ({ params, query }) => readThrough(() => compareRevisions(db, params.playbook_id, query)),
  )
}

/** Anything else is unknown rather than wrong. */
const numberOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)
