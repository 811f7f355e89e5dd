import type { Http } from '@manara/kit/http'
import {
  DiscoveryParams,
  Writer,
  WriterListQuery,
  WriterUpdate,
  ZoneNetwork,
  ZoneNetworkCreate,
  ZoneNetworkListQuery,
} from '@manara/soc-contract/discovery'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { addNetwork, listNetworks, removeNetwork } from './networks.store.ts'
import { judgeWriter, listWriters, writerById } from './writers.store.ts'

export type DiscoveryDeps = { db: Kysely<Tables>; now(): number } & Pick<
  Changes,
  'operatorChange'
> &
  Reads

const tags = ['discovery']

export function discoveryRoutes(http: Http, deps: DiscoveryDeps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    '/discovery/networks',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'Which addresses are which zone',
        querystring: ZoneNetworkListQuery,
        response: { 200: listOf(ZoneNetwork) },
      },
    },
    ({ query }) => readThrough(() => listNetworks(db, query)),
  )

  http.post(
    '/discovery/networks',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Say that a network is a zone of a site',
        description:
          'Devices in it that the logs have shown are placed; one that is seen for the first time from now on is an alert, after `quiet_hours`.',
        body: ZoneNetworkCreate,
        response: { 201: ZoneNetwork },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => addNetwork(change, request.body, deps.now())),
  )

  http.delete(
    '/discovery/networks/:id',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'A network is no zone any longer',
        params: DiscoveryParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => removeNetwork(change, request.params.id)),
  )

  http.get(
    '/discovery/writers',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'Who has sent commands to which device',
        querystring: WriterListQuery,
        response: { 200: listOf(Writer) },
      },
    },
    ({ query }) => readThrough(() => listWriters(db, query)),
  )

  http.get(
    '/discovery/writers/:id',
    {
      ...requires('cps:read'),
      schema: { tags, summary: 'One of them', params: DiscoveryParams, response: { 200: Writer } },
    },
    ({ params }) => readThrough(() => writerById(db, params.id)),
  )

  http.patch(
    '/discovery/writers/:id',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Say whether it may',
        params: DiscoveryParams,
        body: WriterUpdate,
        response: { 200: Writer },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        judgeWriter(change, request.params.id, request.body.is_usual),
      ),
  )
}
