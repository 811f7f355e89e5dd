import type { Http } from '@manara/kit/http'
import {
  ComponentListQuery,
  Firmware,
  FirmwareCreate,
  FirmwareListQuery,
  FirmwareParams,
  FirmwareUpdate,
  FoundComponent,
  RunningFirmware,
  RunningListQuery,
  VendorKey,
  VendorKeyCreate,
  VendorKeyListQuery,
} from '@manara/soc-contract/firmware'
import { listOf } from '@manara/soc-contract/lists'
import { Deleted } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import type { InTurn } from '../../http/in-turn.ts'
import { requires } from '../../http/permissions.ts'
import { firmwareById, listFirmware } from './firmware.store.ts'
import { importRoute } from './import.routes.ts'
import { listComponents } from './list-components.ts'
import { listRunning } from './list-running.ts'
import { showFirmware } from './show-firmware.ts'
import { addVendorKey, listVendorKeys, revokeVendorKey } from './vendor-keys.ts'
import { createFirmware, deleteFirmware, updateFirmware } from './write-firmware.ts'

export type FirmwareDeps = { db: Kysely<Tables>; filesInTurn: InTurn } & Pick<
  Changes,
  'operatorChange'
> &
  Reads

const tags = ['firmware']

export function firmwareRoutes(http: Http, deps: FirmwareDeps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    '/firmware',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'List known firmware',
        description:
          'Newest first. Signatures of release notes are checked each time with the key of the vendor.',
        querystring: FirmwareListQuery,
        response: { 200: listOf(Firmware) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listFirmware(db, query),
        ({ firmware }) => showFirmware(firmware, query),
      ),
  )

  http.post(
    '/firmware',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Add a firmware',
        description:
          'A `signature` is over the bytes of `release_notes`, which must name the sha256; it is refused when no key of the vendor made it.',
        body: FirmwareCreate,
        response: { 201: Firmware },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => createFirmware(change, request.body)),
  )

  http.get(
    '/firmware/components',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'Search the components of all firmware',
        querystring: ComponentListQuery,
        response: { 200: listOf(FoundComponent) },
      },
    },
    ({ query }) => readThrough(() => listComponents(db, query)),
  )

  http.get(
    '/firmware/devices',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'Which device runs what',
        description:
          '`unknown` is a hash that nobody vouches for, `outdated` one with a newer version, `unreported` a device that has not said.',
        querystring: RunningListQuery,
        response: { 200: listOf(RunningFirmware) },
      },
    },
    ({ query }) => readThrough(() => listRunning(db, query)),
  )

  keyRoutes(http, deps)
  importRoute(http, deps)

  http.get(
    '/firmware/:id',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'One firmware',
        params: FirmwareParams,
        response: { 200: Firmware },
      },
    },
    ({ params }) => readThrough(() => firmwareById(db, params.id)),
  )

  http.patch(
    '/firmware/:id',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Change a firmware: block it, sign its notes',
        params: FirmwareParams,
        body: FirmwareUpdate,
        response: { 200: Firmware },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateFirmware(change, request.params.id, request.body),
      ),
  )

  http.delete(
    '/firmware/:id',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Delete a firmware with its components',
        params: FirmwareParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => deleteFirmware(change, request.params.id)),
  )
}

function keyRoutes(http: Http, { db, operatorChange, readThrough }: FirmwareDeps) {
  http.get(
    '/firmware/keys',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'Keys that vendors sign release notes with',
        querystring: VendorKeyListQuery,
        response: { 200: listOf(VendorKey) },
      },
    },
    ({ query }) => readThrough(() => listVendorKeys(db, query)),
  )

  http.post(
    '/firmware/keys',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Trust a public key of a vendor',
        body: VendorKeyCreate,
        response: { 201: VendorKey },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) => addVendorKey(change, request.body)),
  )

  http.post(
    '/firmware/keys/:id/revoke',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Trust a key no longer',
        params: FirmwareParams,
        response: { 200: VendorKey },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => revokeVendorKey(change, request.params.id)),
  )
}
