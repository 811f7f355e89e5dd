import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesLogs } from '../../../../http/permissions.ts'
import type { Receive } from '../ingest-scope.ts'
import type { Part } from '../read/part.ts'

type Named = { index: string; id?: string; alias?: string }
function named(request: FastifyRequest): Named {
  const { id, ...rest } = request.params as Named
  // `/logs/_doc/` names none.
  return id ? { id, ...rest } : rest
}

const SHARDS = { total: 1, successful: 1, failed: 0 }
const options = (summary: string) => ({
  ...takesLogs(),
  schema: { tags: ['ingest'], summary } as object,
})

/**
 * Single documents, and what clients do around them. An index is the source of its events: it is
 * there as soon as something is sent to it, so that making one needs nothing.
 */
export function indexRoutes(scope: Http, receive: Receive) {
  documentRoutes(scope, receive)

  const refreshed = () => ({ _shards: SHARDS })
  const searchable = options('Nothing to do: what was acknowledged can be searched')
  for (const path of ['/_refresh', '/:index/_refresh', '/_flush', '/:index/_flush']) {
    scope.post(path, searchable, refreshed)
    scope.get(path, searchable, refreshed)
  }

  const creating = options('Nothing to do: an index is there when something is sent to it')
  const forClients = { constraints: { client: 'elastic' } }
  scope.put('/:index', creating, (request) => ({
    acknowledged: true,
    shards_acknowledged: true,
    index: named(request).index,
  }))
  scope.get('/:index', { ...creating, ...forClients }, (request) => ({
    [named(request).index]: { aliases: {}, mappings: {}, settings: {} },
  }))
  for (const part of ['_mapping', '_settings']) {
    scope.put(`/:index/${part}`, creating, () => ({ acknowledged: true }))
    scope.get(`/:index/${part}`, creating, (request) => ({
      [named(request).index]: part === '_mapping' ? { mappings: {} } : { settings: {} },
    }))
  }
  scope.post('/:index/_rollover', creating, (request) => ({
    ...{ acknowledged: true, shards_acknowledged: true, rolled_over: false, dry_run: false },
    ...{ old_index: named(request).index, new_index: named(request).index, conditions: {} },
  }))
  aliasRoutes(scope)
}

/** A name that stands for an index: every name does, for the index of the same name. */
function aliasRoutes(scope: Http) {
  const aliases = options('Names for an index: each stands for the index of the same name')
  const standsFor = (index: string, alias = index) => ({
    [index]: { aliases: { [alias]: { is_write_index: true } } },
  })
  scope.get('/_alias', aliases, () => ({}))
  scope.get('/_alias/:alias', aliases, (request) => standsFor(named(request).alias ?? ''))
  scope.get('/:index/_alias', aliases, (request) => standsFor(named(request).index))
  scope.get('/:index/_alias/:alias', aliases, (request) =>
    standsFor(named(request).index, named(request).alias),
  )
  const acknowledged = () => ({ acknowledged: true })
  scope.post('/_aliases', aliases, acknowledged)
  for (const path of ['/:index/_alias/:alias', '/:index/_aliases/:alias']) {
    scope.put(path, aliases, acknowledged)
    scope.post(path, aliases, acknowledged)
  }
}

function documentRoutes(scope: Http, receive: Receive) {
  const storing = options('One log event in the form of a document')
  const store = async (request: FastifyRequest, reply: FastifyReply, isNew = false) => {
    const { index, id } = named(request)
    let stored: Part['named'][number] | undefined
    const onPart = ({ named }: Part) => {
      stored ??= named[0]
    }
    const format = { kind: 'document', index, id } as const
    const { errors, duplicates } = await receive(request, reply, format, { onPart })
    if (errors[0]) throw new AppError(400, `document: ${errors[0].message}`)
    if (isNew && duplicates > 0) return reply.code(409).send(conflictOf(index, id ?? ''))
    return reply.code(201).send({
      ...{ _index: index, _id: stored?.id, _version: 1, result: 'created' },
      ...{ _shards: SHARDS, _seq_no: 0, _primary_term: 1 },
    })
  }
  scope.post('/:index/_doc', storing, (request, reply) => store(request, reply))
  for (const method of ['POST', 'PUT'] as const) {
    const one = (url: string, isNew: boolean) =>
      scope.route({
        ...storing,
        ...{ method, url, handler: (request, reply) => store(request, reply, isNew) },
      })
    one('/:index/_doc/:id', false)
    one('/:index/_create/:id', true)
  }
}

/** As clients know it: the document is there, and what was sent is not in its place. */
function conflictOf(index: string, id: string) {
  const reason = `[${id}]: version conflict, document already exists (current version [1])`
  const cause = { type: 'version_conflict_engine_exception', reason, index }
  return { error: { root_cause: [cause], ...cause }, status: 409 }
}
