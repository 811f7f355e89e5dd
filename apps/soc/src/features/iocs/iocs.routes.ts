import { Readable } from 'node:stream'
import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import {
  Ioc,
  IocCreate,
  IocExportQuery,
  IocImportResult,
  IocListQuery,
  IocParams,
  IocUpdate,
  Prevalence,
  PrevalenceQuery,
  Sighting,
  SightingListQuery,
  StixBundle,
} from '@manara/soc-contract/iocs'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import { principalOf } from '../../core/identity/caller.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import type { InTurn } from '../../http/in-turn.ts'
import { requires } from '../../http/permissions.ts'
import { showOne } from '../../showcase/query.ts'
import { createIoc, deleteIoc, updateIoc } from './create-ioc.ts'
import { exportStix } from './export-stix.ts'
import { importIocs, noBody, readInThread } from './import-iocs.ts'
import { iocById } from './iocs.store.ts'
import { listIocs, listSightings } from './list-iocs.ts'
import { showIocs } from './show-iocs.ts'

export type IocDeps = {
  filesInTurn: InTurn
  db: Kysely<Tables>
  now(): number
  /** From the stored logs. */
  prevalenceOf(of: PrevalenceQuery): Promise<Prevalence>
  /** After a commit; resolves when events that arrive from now on are matched against it. */
  indicatorsChanged(): Promise<void>
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['iocs']
const MOST_IMPORTED_BYTES = 64 * 1024 * 1024

export function iocRoutes(http: Http, deps: IocDeps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    '/iocs',
    {
      ...requires('iocs:read'),
      schema: {
        tags,
        summary: 'List indicators',
        description:
          'Newest first. `value` finds one however it is spelled or defanged; `min_score` goes by what is left of the score. With filters `total` is counted up to 10,000.',
        querystring: IocListQuery,
        response: { 200: listOf(Ioc) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listIocs(db, query),
        ({ iocs }) => showIocs(iocs, query),
      ),
  )

  http.post(
    '/iocs',
    {
      ...requires('iocs:write'),
      schema: {
        tags,
        summary: 'Add an indicator, or what is new about a known one',
        body: IocCreate,
        response: { 200: Ioc, 201: Ioc },
      },
    },
    async (request, reply) => {
      const added = await operatorChange(request, reply, 201, async (change) => {
        const { ioc, isNew } = await createIoc(change, request.body)
        if (!isNew) reply.code(200)
        return ioc
      })
      await deps.indicatorsChanged()
      return added
    },
  )

  http.get(
    '/iocs/export',
    {
      ...requires('iocs:read'),
      schema: {
        tags,
        summary: 'Indicators as a STIX 2.1 bundle',
        querystring: IocExportQuery,
        response: { 200: StixBundle },
      },
    },
    async ({ query }, reply) => {
      // The first piece before the answer begins: what is wrong then still is an error.
      const text = exportStix(db, query)
      const first = await readThrough(async () => [await text.next(), await text.next()])
      reply.header('content-disposition', 'attachment; filename="iocs.json"')
      reply.type('application/stix+json;version=2.1')
      return reply.send(Readable.from(after(first, text)))
    },
  )

  http.get(
    '/iocs/prevalence',
    {
      ...requires('iocs:read'),
      schema: {
        tags,
        summary: 'On which hosts and days the logs have a value',
        description: 'Look here before blocking: what several hosts have needs an approval.',
        querystring: PrevalenceQuery,
        response: { 200: Prevalence },
      },
    },
    ({ query }) => readThrough(() => deps.prevalenceOf(query)),
  )

  http.get(
    '/iocs/:id',
    {
      ...requires('iocs:read'),
      schema: { tags, summary: 'One indicator', params: IocParams, response: { 200: Ioc } },
    },
    ({ params }) =>
      readThrough(
        () => iocById(db, params.id),
        ({ iocs }) => showOne('indicator', iocs, params.id),
      ),
  )

  http.get(
    '/iocs/:id/sightings',
    {
      ...requires('iocs:read'),
      schema: {
        tags,
        summary: 'Events that an indicator was seen in',
        params: IocParams,
        querystring: SightingListQuery,
        response: { 200: listOf(Sighting) },
      },
    },
    ({ params, query }) =>
      readThrough(async () => listSightings(db, (await iocById(db, params.id)).id, query)),
  )

  http.patch(
    '/iocs/:id',
    {
      ...requires('iocs:write'),
      schema: {
        tags,
        summary: 'Change an indicator',
        params: IocParams,
        body: IocUpdate,
        response: { 200: Ioc },
      },
    },
    async (request, reply) => {
      const changed = await operatorChange(request, reply, 200, (change) =>
        updateIoc(change, request.params.id, request.body),
      )
      await deps.indicatorsChanged()
      return changed
    },
  )

  http.delete(
    '/iocs/:id',
    {
      ...requires('iocs:write'),
      schema: {
        tags,
        summary: 'Delete an indicator with its sightings',
        params: IocParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => deleteIoc(change, request.params.id)),
  )

  importRoute(http, deps)
}

/** Takes bytes: a file is read in a thread of its own. */
function importRoute(http: Http, deps: IocDeps) {
  rawBodyScope(http, { mostBytes: MOST_IMPORTED_BYTES }, (scope) => {
    scope.post(
      '/iocs/import',
      {
        ...requires('iocs:write'),
        validatorCompiler: () => (value) => ({ value }),
        schema: {
          tags,
          summary: 'Import a STIX 2.1 bundle, MISP JSON or CSV',
          description:
            'CSV as `text/csv`, the others as JSON; at most 64 MB. Known indicators are merged, what is no indicator is skipped and named with its place, the rest is stored together.',
          response: { 200: IocImportResult },
        },
      },
      async (request, reply) => {
        const bytes = request.body
        if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw noBody()
        const result = await deps.operatorChange(request, reply, 200, importIocs, () =>
          deps.filesInTurn(reply, (signal) =>
            readInThread(
              {
                bytes,
                isCsv: /^text\/(csv|plain)/i.test(request.headers['content-type'] ?? ''),
                now: deps.now(),
                defaultSource: principalOf(request).username,
              },
              signal,
            ),
          ),
        )
        await deps.indicatorsChanged()
        return result
      },
    )
  })
}

async function* after(first: IteratorResult<string>[], rest: AsyncIterable<string>) {
  for (const piece of first) if (!piece.done) yield piece.value
  yield* rest
}
