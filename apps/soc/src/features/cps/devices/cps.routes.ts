import type { Http } from '@manara/kit/http'
import {
  Device,
  DeviceListQuery,
  DeviceMetrics,
  DeviceParams,
  DeviceUpdate,
  NewDevice,
  RevokeRequest,
} from '@manara/soc-contract/cps'
import { listOf } from '@manara/soc-contract/lists'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import { showOne } from '../../../showcase/query.ts'
import { deviceById } from './devices.store.ts'
import { listDevices } from './list-devices.ts'
import { metricsOf } from './metrics-of.ts'
import { revokeDevice } from './revoke-device.ts'
import { showDevices } from './show-devices.ts'
import { createDevice, type HoldSite, updateDevice } from './write-device.ts'

export type DeviceDeps = {
  db: Kysely<Tables>
  holdSite: HoldSite
  now(): number
  /** After a commit: brokers cut the session and refuse the next one. */
  onRevoked(device: Device): Promise<void>
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['cps']

export function deviceRoutes(http: Http, deps: DeviceDeps) {
  const { db, readThrough, operatorChange, holdSite } = deps

  http.get(
    '/cps/devices',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'List devices',
        description: 'Managed ones have enrolled; the others were seen in the logs.',
        querystring: DeviceListQuery,
        response: { 200: listOf(Device) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listDevices(db, query),
        ({ devices }) => showDevices(devices, query),
      ),
  )

  http.get(
    '/cps/devices/:id',
    {
      ...requires('cps:read'),
      schema: { tags, summary: 'One device', params: DeviceParams, response: { 200: Device } },
    },
    ({ params }) =>
      readThrough(
        () => deviceById(db, params.id),
        ({ devices }) => showOne('device', devices, params.id),
      ),
  )

  http.get(
    '/cps/devices/:id/metrics',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'The last values that a gateway reported for a device',
        description:
          'From the birth and data messages of Sparkplug B, which are read and never answered.',
        params: DeviceParams,
        response: { 200: DeviceMetrics },
      },
    },
    ({ params }) => readThrough(() => metricsOf(db, params.id)),
  )

  http.post(
    '/cps/devices',
    {
      ...requires('cps:manage'),
      schema: { tags, summary: 'Add a device', body: NewDevice, response: { 201: Device } },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => createDevice(change, request.body, holdSite)),
  )

  http.patch(
    '/cps/devices/:id',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Change what is known of a device, or how often it attests',
        params: DeviceParams,
        body: DeviceUpdate,
        response: { 200: Device },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateDevice(change, request.params.id, request.body, holdSite),
      ),
  )

  http.post(
    '/cps/devices/:id/revoke',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Revoke the certificates of a device, for good',
        description:
          'Its session is cut and it cannot connect again. Twice is the same as once, but for the reason `key_compromise`, which may become known later.',
        params: DeviceParams,
        body: RevokeRequest.nullish(),
        response: { 200: Device },
      },
    },
    async (request, reply) => {
      const asked = request.body ?? RevokeRequest.parse({})
      const device = await operatorChange(request, reply, 200, (change) =>
        revokeDevice(change, request.params.id, asked, deps.now()),
      )
      await deps.onRevoked(device)
      return device
    },
  )
}
