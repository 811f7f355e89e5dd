import { conflict } from '@manara/kit/errors'
import type { RenewRequest } from '@manara/soc-contract/cps'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Mode } from '../../../core/mode/mode.ts'
import type { Authority } from '../authority/authority.ts'
import { readSigningRequest } from '../authority/read-request.ts'
import type { CertificateRow } from '../devices/device-record.ts'
import { enrolDevice } from './enrol-device.ts'
import type { Issuing } from './issue-certificate.ts'
import { renewCertificate } from './renew-certificate.ts'

type Issued = { issuing: Issuing; row: CertificateRow }

/** What a device gets for a code or for its present certificate, whichever way it asks. */
export type Enrolment = {
  enrol(code: string, csr: string): Promise<Issued>
  renew(csr: string, proof: Pick<RenewRequest, 'certificate' | 'signature'>): Promise<Issued>
}

export function createEnrolment(deps: {
  openAuthority(): Promise<Authority>
  mode: Mode
  days: number
  broker: Issuing['broker']
  internalWorkflow: Changes['internalWorkflow']
  now(): number
}): Enrolment {
  async function issuing(): Promise<Issuing> {
    // A certificate is good outside of this service, whatever the mode says later.
    if (deps.mode.operatorChanges !== 'made') {
      throw conflict(`devices enrol in real mode only: this is ${deps.mode.name} mode`)
    }
    const { days, broker } = deps
    return { authority: await deps.openAuthority(), days, broker, now: deps.now() }
  }

  return {
    async enrol(code, csr) {
      const request = await readSigningRequest(csr)
      const by = await issuing()
      const row = await deps.internalWorkflow((change) => enrolDevice(change, by, code, request))
      return { issuing: by, row }
    },
    async renew(csr, proof) {
      const request = await readSigningRequest(csr)
      const by = await issuing()
      const row = await deps.internalWorkflow((change) =>
        renewCertificate(change, by, request, proof),
      )
      return { issuing: by, row }
    },
  }
}
