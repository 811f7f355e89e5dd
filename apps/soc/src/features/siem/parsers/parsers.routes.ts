import type { Http } from '@manara/kit/http'
import {
  OwnParser,
  ParserList,
  ParserListQuery,
  ParserParams,
  ParserPreview,
  ParserPreviewDraft,
  ParserPreviewRequest,
  ParserVersionList,
} from '@manara/soc-contract/parsers'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import type { InTurn } from '../../../http/in-turn.ts'
import { requires } from '../../../http/permissions.ts'
import { pageOf } from '../../../showcase/query.ts'
import { ownName } from '../normalise/own/own-parsers.ts'
import type { ReadLogs } from '../search/readable-logs.ts'
import { NOTHING_READ, readCounts, readUnread } from './counts.store.ts'
import { listParsers } from './list-parsers.ts'
import { toOwnParser } from './parser-record.ts'
import { allParsers, parserById, versionOf, versionsOf } from './parsers.store.ts'
import { createPreview } from './preview-parser.ts'
import type { CheckSamples } from './write-parser.ts'

export type ParserDeps = {
  inTurn: InTurn
  db: Kysely<Tables>
  readLogs: ReadLogs
  timeLimitMs: number
  now(): number
  checkSamples: CheckSamples
  /** Resolves when this process reads with what is switched on now. */
  refresh(): Promise<void>
} & Changes &
  Reads

const tags = ['siem']

export function parserRoutes(http: Http, deps: ParserDeps) {
  const { inTurn, db, now, checkSamples, readThrough } = deps
  const preview = createPreview(deps)

  http.get(
    '/siem/parsers',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'What reads log events, how much each read, and what nothing read',
        querystring: ParserListQuery,
        response: { 200: ParserList },
      },
    },
    ({ query }) =>
      readThrough(
        async () => {
          const [own, counts] = await Promise.all([allParsers(db), readCounts(db, now())])
          const unread = await readUnread(db, now())
          return { ...pageOf(listParsers(own, counts, query), query), unread }
        },
        () => ({
          ...pageOf(listParsers([], new Map(), query), query),
          unread: { events_24h: 0, sources: [] },
        }),
      ),
  )

  http.post(
    '/siem/parsers/preview',
    {
      ...requires('siem:manage', 'siem:read'),
      schema: {
        tags,
        summary: 'What a parser would make of stored events, without saving it',
        body: ParserPreviewDraft,
        response: { 200: ParserPreview },
      },
    },
    ({ body }, reply) => inTurn(reply, (signal) => preview(body, signal)),
  )

  http.get(
    '/siem/parsers/:id',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'A parser of your own',
        params: ParserParams,
        response: { 200: OwnParser },
      },
    },
    async ({ params: { id } }) => {
      const [row, counts] = await readThrough(
        async () => [await parserById(db, id), await readCounts(db, now())] as const,
      )
      const results = await checkSamples(row.definition, row.samples)
      return toOwnParser(row, counts.get(ownName(row.id)) ?? NOTHING_READ, results)
    },
  )

  http.get(
    '/siem/parsers/:id/versions',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'All that a parser ever was, newest first',
        params: ParserParams,
        response: { 200: ParserVersionList },
      },
    },
    ({ params: { id } }) =>
      readThrough(async () => ({ items: await versionsOf(db, (await parserById(db, id)).id) })),
  )

  http.post(
    '/siem/parsers/:id/preview',
    {
      ...requires('siem:manage', 'siem:read'),
      schema: {
        tags,
        summary: 'What a saved parser would make of stored events',
        params: ParserParams,
        body: ParserPreviewRequest,
        response: { 200: ParserPreview },
      },
    },
    async ({ params: { id }, body: { version, ...range } }, reply) => {
      const { source, said } = await readThrough(async () => {
        const row = await parserById(db, id)
        return { source: row.source, said: await versionOf(db, id, version ?? row.version) }
      })
      return inTurn(reply, (signal) => preview({ ...said, ...range, source }, signal))
    },
  )
}
