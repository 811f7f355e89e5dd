import type { Http } from '@manara/kit/http'
import {
  BulkCreate,
  BulkCreated,
  DeviceParams,
  Enrolled,
  EnrolmentCode,
  EnrolmentCodeRequest,
  EnrolRequest,
  RenewRequest,
} from '@manara/soc-contract/cps'
import type { Changes } from '../../../core/change/operator-change.ts'
import { provesItself, requires } from '../../../http/permissions.ts'
import type { Authority } from '../authority/authority.ts'
import { createDevice, type HoldSite } from '../devices/write-device.ts'
import { createCode } from './create-code.ts'
import type { Enrolment } from './enrolment.ts'
import { toEnrolled } from './issue-certificate.ts'

export type EnrolmentDeps = {
  openAuthority(): Promise<Authority>
  enrolment: Enrolment
  now(): number
  holdSite: HoldSite
} & Pick<Changes, 'operatorChange'>

const tags = ['cps']
const DAY_S = 86_400

export function enrolmentRoutes(http: Http, deps: EnrolmentDeps) {
  http.post(
    '/cps/devices/:id/enrolment-code',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Make a one-time code with which the device enrols',
        description: 'The code is shown once; an unused one from before is no longer good.',
        params: DeviceParams,
        body: EnrolmentCodeRequest.nullish(),
        response: { 201: EnrolmentCode },
      },
    },
    async (request, reply) => {
      const { fingerprint } = await deps.openAuthority()
      const validSeconds = (request.body ?? EnrolmentCodeRequest.parse({})).valid_s
      return deps.operatorChange(request, reply, 201, (change) =>
        createCode(change, request.params.id, {
          ...{ validSeconds, now: deps.now() },
          caFingerprint: fingerprint,
        }),
      )
    },
  )

  http.post(
    '/cps/devices/bulk',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Add many devices, each with its one-time code',
        description: 'All of them or, if one of them is refused, none.',
        body: BulkCreate,
        response: { 201: BulkCreated },
      },
    },
    async (request, reply) => {
      const { fingerprint: caFingerprint } = await deps.openAuthority()
      return deps.operatorChange(request, reply, 201, async (change) => {
        const items: BulkCreated['items'] = []
        for (const fields of request.body.devices) {
          const device = await createDevice(change, fields, deps.holdSite)
          const asked = { validSeconds: DAY_S, now: deps.now(), caFingerprint }
          items.push({ device, code: await createCode(change, device.id, asked) })
        }
        return { items }
      })
    },
  )

  http.post(
    '/cps/enrol',
    {
      ...provesItself(),
      schema: {
        tags,
        summary: 'Enrol a device with its one-time code',
        description:
          'The request is PKCS#10 with a P-256 key; its subject is not looked at. If the answer gets lost, the same code with the same key is answered again.',
        body: EnrolRequest,
        response: { 201: Enrolled },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      const { issuing, row } = await deps.enrolment.enrol(body.code, body.csr)
      return toEnrolled(issuing, row)
    },
  )

  http.post(
    '/cps/renew',
    {
      ...provesItself(),
      schema: {
        tags,
        summary: 'Renew the certificate of a device',
        description:
          'With the key of the present certificate, or with a new one that the present key has signed for.',
        body: RenewRequest,
        response: { 201: Enrolled },
      },
    },
    async ({ body: { csr, ...proof } }, reply) => {
      reply.code(201)
      const { issuing, row } = await deps.enrolment.renew(csr, proof)
      return toEnrolled(issuing, row)
    },
  )
}
