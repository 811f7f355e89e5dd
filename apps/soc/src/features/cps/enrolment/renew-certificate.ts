import { verify, X509Certificate } from 'node:crypto'
import { AppError, invalid, unauthorized } from '@manara/kit/errors'
import type { RenewRequest } from '@manara/soc-contract/cps'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { SigningRequest } from '../authority/read-request.ts'
import type { CertificateRow } from '../devices/device-record.ts'
import { lockDevice } from '../devices/devices.store.ts'
import { type Issuing, issueCertificate } from './issue-certificate.ts'
import { refuseSharedKey } from './key-holders.ts'

/**
 * A new certificate for a device that has a good one. With the same key the request itself proves
 * who asks; a new key has to be signed for with the present one. Sent again by somebody else, either
 * leads to a certificate that only the device can use.
 */
export async function renewCertificate(
  change: ChangeContext,
  issuing: Issuing,
  request: SigningRequest,
  proof: Pick<RenewRequest, 'certificate' | 'signature'>,
): Promise<CertificateRow> {
  const present = proof.certificate
    ? await provenCertificate(change, request, proof.certificate, proof.signature)
    : await certificateOfKey(change, request.keySha256)
  if (present?.status !== 'active') throw notGood()
  if (present.not_after.getTime() <= issuing.now) throw expired()
  const device = await lockDevice(change.tx, present.device_id)
  if (device.status === 'revoked') throw notGood()
  await refuseSharedKey(change.tx, device.id, present.key_sha256)
  return issueCertificate(change, issuing, device.id, request, 'device.renew')
}

const certificateOfKey = ({ tx }: ChangeContext, keySha256: string) =>
  tx
    .selectFrom('cps_certificates')
    .selectAll()
    .where('key_sha256', '=', keySha256)
    // A device that was revoked may have had the key before this one.
    .where('status', '=', 'active')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

async function provenCertificate(
  { tx }: ChangeContext,
  request: SigningRequest,
  pem: string,
  signature: string | undefined,
) {
  if (!signature) throw invalid('signature', 'must come with the certificate')
  const certificate = parse(pem)
  if (!hasSigned(certificate, request.der, Buffer.from(signature, 'base64'))) {
    throw unauthorized('signature: is not by the key of the certificate over the request')
  }
  return tx
    .selectFrom('cps_certificates')
    .selectAll()
    .where('fingerprint', '=', certificate.fingerprint256.replaceAll(':', '').toLowerCase())
    .executeTakeFirst()
}

/** The certificate is anybody's: kinds of keys that we never certify throw. */
function hasSigned(certificate: X509Certificate, bytes: Buffer, signature: Buffer): boolean {
  try {
    return verify('sha256', bytes, certificate.publicKey, signature)
  } catch {
    return false
  }
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw invalid('certificate', 'is not a certificate in PEM')
  }
}

const notGood = () =>
  new AppError(403, 'certificate: is unknown or revoked: enrol with a new code instead')
const expired = () => new AppError(403, 'certificate: has expired: enrol with a new code instead')
