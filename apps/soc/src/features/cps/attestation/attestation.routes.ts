import { conflict } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import {
  AcceptRequest,
  Attestation,
  AttestationListQuery,
  AttestationParams,
  Device,
  DeviceParams,
} from '@manara/soc-contract/cps'
import { listOf } from '@manara/soc-contract/lists'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import { deviceById, lockDevice } from '../devices/devices.store.ts'
import { showAttestations } from '../devices/show-devices.ts'
import { answerWithinMs } from '../domain/schedule.ts'
import { acceptAnswer } from './accept-answer.ts'
import { listAttestations } from './list-attestations.ts'
import { requestAttestation } from './request-attestation.ts'

export type AttestationDeps = {
  db: Kysely<Tables>
  now(): number
  /** After a commit: there is something to send. */
  wakeRelay(): void
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['cps']

export function attestationRoutes(http: Http, deps: AttestationDeps) {
  http.get(
    '/cps/attestations',
    {
      ...requires('cps:read'),
      schema: {
        tags,
        summary: 'List attestations',
        description:
          'Requests and their answers, newest first. One without an answer has the verdict `none`.',
        querystring: AttestationListQuery,
        response: { 200: listOf(Attestation) },
      },
    },
    ({ query }) =>
      deps.readThrough(
        () => listAttestations(deps.db, query),
        ({ attestations }) => showAttestations(attestations, query),
      ),
  )

  http.post(
    '/cps/attestations/:id/accept',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Accept what a device runs now: its next answers are compared with this one',
        description:
          'For a change that somebody has made on purpose. It has to be the newest answer of the device. Verdict and trust stay until the device answers again.',
        params: AttestationParams,
        body: AcceptRequest.nullish(),
        response: { 200: Device },
      },
    },
    (request, reply) =>
      deps.operatorChange(request, reply, 200, (change) =>
        acceptAnswer(change, request.params.id, request.body ?? {}),
      ),
  )

  http.post(
    '/cps/devices/:id/attest',
    {
      ...requires('cps:manage'),
      schema: {
        tags,
        summary: 'Ask a device to attest now',
        description:
          'The request is relayed to the topic of the device and expires when it is not answered.',
        params: DeviceParams,
        response: { 201: Attestation },
      },
    },
    async (request, reply) => {
      const attestation = await deps.operatorChange(request, reply, 201, async (change) => {
        const device = await lockDevice(change.tx, request.params.id)
        const { certificate } = await deviceById(change.tx, device.id)
        if (!certificate) throw conflict('the device has no certificate: enrol it first')
        const validMs = answerWithinMs(device.attest_every_s)
        return requestAttestation(change, device, { trigger: 'manual', now: deps.now(), validMs })
      })
      deps.wakeRelay()
      return attestation
    },
  )
}
