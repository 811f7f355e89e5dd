import { invalid } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import {
  Reparse,
  ReparseCreate,
  ReparseList,
  ReparseListQuery,
  ReparseParams,
} from '@manara/soc-contract/reparse'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import { pageOf } from '../../../showcase/query.ts'
import {
  cancelReparse,
  insertReparse,
  listReparses,
  reparseById,
  toReparse,
} from './reparse.store.ts'

const tags = ['siem']

/** Reading stored events again with the parsers of now. */
export function reparseRoutes(
  http: Http,
  { db, operatorChange, readThrough }: { db: Kysely<Tables> } & Changes & Reads,
) {
  http.post(
    '/siem/reparse',
    {
      ...requires('siem:manage'),
      schema: {
        tags,
        summary: 'Read the stored events of a source again, with the parsers of now',
        description:
          'A task that goes on by itself, also after a restart. Id, message, arrival, original and what the sender sent stay; what an earlier parser added is replaced. Rules are not run over these events again. With `dry_run` nothing changes, and the task tells what would.',
        body: ReparseCreate,
        response: { 201: Reparse },
      },
    },
    (request, reply) => {
      const { from, to } = request.body
      if (from && to && from >= to) throw invalid('from', 'must be before to')
      return operatorChange(request, reply, 201, async (change) => {
        const row = await insertReparse(change.tx, request.body, change.principal.username)
        const { examples: _, ...told } = toReparse(row)
        await change.audit({ action: 'reparse.create', target: `reparse:${row.id}`, after: told })
        await change.publish('reparse.created', told)
        return toReparse(row)
      })
    },
  )

  http.get(
    '/siem/reparse',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'Tasks that read stored events again, newest first',
        querystring: ReparseListQuery,
        response: { 200: ReparseList },
      },
    },
    ({ query }) =>
      readThrough(
        () => listReparses(db, query),
        () => pageOf<Reparse>([], query),
      ),
  )

  http.get(
    '/siem/reparse/:id',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'How far it is, what it found, and examples of what changes',
        params: ReparseParams,
        response: { 200: Reparse },
      },
    },
    ({ params }) => readThrough(async () => toReparse(await reparseById(db, params.id))),
  )

  http.delete(
    '/siem/reparse/:id',
    {
      ...requires('siem:manage'),
      schema: {
        tags,
        summary: 'Cancel it; events that were read again until then stay so',
        params: ReparseParams,
        response: { 200: Reparse },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, async (change) => {
        const row = await cancelReparse(change.tx, request.params.id)
        const { examples: _, ...told } = toReparse(row)
        await change.audit({ action: 'reparse.cancel', target: `reparse:${row.id}`, after: told })
        await change.publish('reparse.cancelled', told)
        return toReparse(row)
      }),
  )
}
