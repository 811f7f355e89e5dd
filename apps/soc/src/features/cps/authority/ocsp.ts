import { createHash, sign } from 'node:crypto'
import { RevocationReason } from '@manara/soc-contract/cps'
import {
  BasicOCSPResponse,
  type CertID,
  CertStatus,
  id_pkix_ocsp_basic,
  id_pkix_ocsp_nonce,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
} from '@peculiar/asn1-ocsp'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Certificate, CRLReason, type Extensions } from '@peculiar/asn1-x509'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Authority } from './authority.ts'
import { reasonCode } from './revocation-list.ts'

const ECDSA_SHA256 = '1.2.840.10045.4.3.2'
const VALID_MS = 60 * 60_000
const MOST_ASKED = 20
const HASHES: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
}

/** The answer of RFC 6960, signed by the authority itself, about the state at this moment. */
export async function answerOcsp(
  db: Kysely<Tables>,
  authority: Authority,
  request: Uint8Array,
  now: number,
): Promise<Buffer> {
  const asked = parse(request)
  if (!asked || asked.tbsRequest.requestList.length > MOST_ASKED) {
    return encode(new OCSPResponse({ responseStatus: malformed() }))
  }
  const responses = await Promise.all(
    asked.tbsRequest.requestList.map(({ reqCert }) => statusOf(db, authority, reqCert, now)),
  )
  const { tbsCertificate } = AsnConvert.parse(authority.issuer.certificate.rawData, Certificate)
  const key = Buffer.from(tbsCertificate.subjectPublicKeyInfo.subjectPublicKey)
  const tbs = new ResponseData({
    responderID: new ResponderID({
      byKey: new OctetString(createHash('sha1').update(key).digest()),
    }),
    producedAt: new Date(now),
    responses,
  })
  const nonce = asked.tbsRequest.requestExtensions?.filter(
    ({ extnID }) => extnID === id_pkix_ocsp_nonce,
  )
  if (nonce && nonce.length > 0) tbs.responseExtensions = nonce as Extensions
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbs)), authority.key)
  const basic = new BasicOCSPResponse({
    tbsResponseData: tbs,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ECDSA_SHA256 }),
    signature: new Uint8Array(signature).buffer,
  })
  return encode(
    new OCSPResponse({
      responseStatus: OCSPResponseStatus.successful,
      responseBytes: new ResponseBytes({
        responseType: id_pkix_ocsp_basic,
        response: new OctetString(AsnConvert.serialize(basic)),
      }),
    }),
  )
}

const malformed = () => OCSPResponseStatus.malformedRequest
const encode = (response: OCSPResponse) => Buffer.from(AsnConvert.serialize(response))

function parse(request: Uint8Array): OCSPRequest | undefined {
  try {
    return AsnConvert.parse(request, OCSPRequest)
  } catch {
    return undefined
  }
}

async function statusOf(
  db: Kysely<Tables>,
  authority: Authority,
  certID: CertID,
  now: number,
): Promise<SingleResponse> {
  const serial = Buffer.from(certID.serialNumber)
    .toString('hex')
    .replace(/^(00)+/, '')
  const row = isOurs(authority, certID)
    ? await db
        .selectFrom('cps_certificates')
        .select(['status', 'revoked_at', 'reason'])
        .where('serial', '=', serial)
        .executeTakeFirst()
    : undefined
  return new SingleResponse({
    certID,
    certStatus: certStatus(row),
    thisUpdate: new Date(now),
    nextUpdate: new Date(now + VALID_MS),
  })
}

type Row = { status: string; revoked_at: Date | null; reason: string | null } | undefined

function certStatus(row: Row): CertStatus {
  if (!row) return new CertStatus({ unknown: null })
  if (row.status !== 'revoked') return new CertStatus({ good: null })
  const reason = RevocationReason.catch('unspecified').parse(row.reason)
  return new CertStatus({
    revoked: new RevokedInfo({
      revocationTime: row.revoked_at ?? new Date(0),
      revocationReason: new CRLReason(reasonCode(reason)),
    }),
  })
}

/** Asked about certificates of somebody else, we know nothing. */
function isOurs({ issuer }: Authority, certID: CertID): boolean {
  const hash = HASHES[certID.hashAlgorithm.algorithm]
  if (!hash) return false
  const { tbsCertificate } = AsnConvert.parse(issuer.certificate.rawData, Certificate)
  const key = Buffer.from(tbsCertificate.subjectPublicKeyInfo.subjectPublicKey)
  const digest = createHash(hash).update(key).digest()
  return digest.equals(Buffer.from(certID.issuerKeyHash.buffer))
}
