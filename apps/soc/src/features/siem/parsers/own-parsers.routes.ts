import type { Http } from '@manara/kit/http'
import {
  OwnParser,
  OwnParserCreate,
  OwnParserUpdate,
  ParserEnable,
  ParserParams,
} from '@manara/soc-contract/parsers'
import { Deleted } from '@manara/soc-contract/users'
import { requires } from '../../../http/permissions.ts'
import { ownName } from '../normalise/own/own-parsers.ts'
import { NOTHING_READ, readCounts } from './counts.store.ts'
import { toOwnParser } from './parser-record.ts'
import type { ParserDeps } from './parsers.routes.ts'
import { type ParserRow, parserById, versionOf } from './parsers.store.ts'
import { createParser, deleteParser, mustPass, switchParser, updateParser } from './write-parser.ts'

const tags = ['siem']

/** Saving parsers of one's own, and switching them on and off. */
export function ownParserRoutes(http: Http, deps: ParserDeps) {
  const { db, now, checkSamples, operatorChange, refresh } = deps

  const recordOf = async (row: ParserRow, results = checkSamples(row.definition, row.samples)) => {
    const counts = (await readCounts(db, now())).get(ownName(row.id)) ?? NOTHING_READ
    return toOwnParser(row, counts, await results)
  }

  http.post(
    '/siem/parsers',
    {
      ...requires('siem:manage'),
      schema: {
        tags,
        summary: 'Save a parser of your own',
        description: 'It reads nothing before it is switched on.',
        body: OwnParserCreate,
        response: { 201: OwnParser },
      },
    },
    (request, reply) =>
      operatorChange(
        request,
        reply,
        201,
        async (change, results) =>
          toOwnParser(await createParser(change, request.body), NOTHING_READ, results),
        () => checkSamples(request.body.definition, request.body.samples),
      ),
  )

  http.patch(
    '/siem/parsers/:id',
    {
      ...requires('siem:manage'),
      schema: {
        tags,
        summary: 'Change a parser of your own',
        description:
          'Another definition, or other samples, are a new version: the one that is switched on goes on reading until the new one is switched on.',
        params: ParserParams,
        body: OwnParserUpdate,
        response: { 200: OwnParser },
      },
    },
    (request, reply) => {
      const { id } = request.params
      const { body } = request
      return operatorChange(
        request,
        reply,
        200,
        async (change, results) =>
          recordOf(await updateParser(change, id, body), Promise.resolve(results)),
        async () => {
          const before = await parserById(db, id)
          return checkSamples(body.definition ?? before.definition, body.samples ?? before.samples)
        },
      )
    },
  )

  http.post(
    '/siem/parsers/:id/enable',
    {
      ...requires('siem:manage'),
      schema: {
        tags,
        summary: 'Switch a parser on, in every process within a second',
        description: 'A version that does not read its own samples as expected is refused: 400.',
        params: ParserParams,
        body: ParserEnable.nullish(),
        response: { 200: OwnParser },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const record = await operatorChange(
        request,
        reply,
        200,
        async (change, version) => recordOf(await switchParser(change, id, version)),
        async () => {
          const parser = await parserById(db, id)
          const version = request.body?.version ?? parser.version
          await mustPass(checkSamples, await versionOf(db, id, version))
          return version
        },
      )
      await refresh()
      return record
    },
  )

  http.post(
    '/siem/parsers/:id/disable',
    {
      ...requires('siem:manage'),
      schema: {
        tags,
        summary: 'Switch a parser off',
        params: ParserParams,
        response: { 200: OwnParser },
      },
    },
    async (request, reply) => {
      const record = await operatorChange(request, reply, 200, async (change) =>
        recordOf(await switchParser(change, request.params.id, null)),
      )
      await refresh()
      return record
    },
  )

  http.delete(
    '/siem/parsers/:id',
    {
      ...requires('siem:manage'),
      schema: {
        tags,
        summary: 'Delete a parser that is switched off, with its versions',
        params: ParserParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => deleteParser(change, request.params.id)),
  )
}
