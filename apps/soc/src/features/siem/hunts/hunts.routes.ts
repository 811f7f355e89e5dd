import { notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import {
  Hunt,
  HuntCreate,
  HuntListQuery,
  HuntParams,
  HuntResult,
  HuntRun,
  HuntRunListQuery,
  HuntRunRequest,
  HuntUpdate,
} from '@manara/soc-contract/hunts'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import { principalOf } from '../../../core/identity/caller.ts'
import type { Mode } from '../../../core/mode/mode.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import type { InTurn } from '../../../http/in-turn.ts'
import { requires } from '../../../http/permissions.ts'
import { pageOf } from '../../../showcase/query.ts'
import type { ReadLogs } from '../search/readable-logs.ts'
import { huntById, insertRun, listHunts, listRuns } from './hunts.store.ts'
import { runHunt } from './run-hunt.ts'
import { createHunt, deleteHunt, updateHunt } from './write-hunt.ts'

export type HuntDeps = {
  inTurn: InTurn
  db: Kysely<Tables>
  mode: Mode
  readLogs: ReadLogs
  timeLimitMs: number
  now(): number
} & Changes &
  Reads

const tags = ['siem']

export function huntRoutes(http: Http, deps: HuntDeps) {
  const {
    inTurn,
    db,
    mode,
    readLogs,
    timeLimitMs,
    now,
    operatorChange,
    internalWorkflow,
    readThrough,
  } = deps

  http.get(
    '/siem/hunts',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'Saved hunts that are yours or shared with you',
        querystring: HuntListQuery,
        response: { 200: listOf(Hunt) },
      },
    },
    (request) =>
      readThrough(
        () => listHunts(db, request.query, principalOf(request)),
        ({ hunts }) => pageOf(hunts, request.query),
      ),
  )

  http.post(
    '/siem/hunts',
    {
      ...requires('siem:search'),
      schema: { tags, summary: 'Save a hunt', body: HuntCreate, response: { 201: Hunt } },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => createHunt(change, request.body, now())),
  )

  http.get(
    '/siem/hunts/:hunt_id',
    {
      ...requires('siem:read'),
      schema: { tags, summary: 'One hunt', params: HuntParams, response: { 200: Hunt } },
    },
    (request) => readHunt(request.params.hunt_id, request),
  )

  http.patch(
    '/siem/hunts/:hunt_id',
    {
      ...requires('siem:search'),
      schema: {
        tags,
        summary: 'Change a hunt; its sharing only by its maker or an admin',
        params: HuntParams,
        body: HuntUpdate,
        response: { 200: Hunt },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateHunt(change, request.params.hunt_id, request.body, now()),
      ),
  )

  http.delete(
    '/siem/hunts/:hunt_id',
    {
      ...requires('siem:search'),
      schema: {
        tags,
        summary: 'Delete a hunt with its runs; only its maker or an admin',
        params: HuntParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => deleteHunt(change, request.params.hunt_id)),
  )

  http.post(
    '/siem/hunts/:hunt_id/run',
    {
      ...requires('siem:search'),
      schema: {
        tags,
        summary: 'Run a hunt: its latest matches, and the count kept',
        params: HuntParams,
        body: HuntRunRequest.nullish(),
        response: { 200: HuntResult },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const hunt = await readHunt(request.params.hunt_id, request)
      const asked = request.body ?? { limit: 50 }
      return inTurn(reply, (signal) =>
        readLogs((logs) =>
          runHunt(
            {
              logs,
              now,
              record: async (run) =>
                mode.runsPipelines
                  ? internalWorkflow(({ tx }) => insertRun(tx, run), principal)
                  : null,
            },
            hunt,
            asked,
            principal.username,
            { signal, timeLimitMs },
          ),
        ),
      )
    },
  )

  http.get(
    '/siem/hunts/:hunt_id/runs',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'What each run of a hunt counted, newest first',
        params: HuntParams,
        querystring: HuntRunListQuery,
        response: { 200: listOf(HuntRun) },
      },
    },
    (request) =>
      readThrough(
        async () => {
          const hunt = await huntById(db, request.params.hunt_id, principalOf(request))
          return listRuns(db, hunt.id, request.query)
        },
        () => pageOf<HuntRun>([], request.query),
      ),
  )

  function readHunt(id: string, request: Parameters<typeof principalOf>[0]): Promise<Hunt> {
    return readThrough(
      () => huntById(db, id, principalOf(request)),
      ({ hunts }) => {
        const hunt = hunts.find((one) => one.id === id)
        if (!hunt) throw notFound('hunt', id)
        return hunt
      },
    )
  }
}
