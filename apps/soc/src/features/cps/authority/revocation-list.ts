import type { RevocationReason } from '@manara/soc-contract/cps'
import { AsnConvert } from '@peculiar/asn1-schema'
import { CRLNumber, id_ce_cRLNumber } from '@peculiar/asn1-x509'
import type { Issuer } from './issue.ts'
import * as x509 from './x509.ts'

export type Revoked = { serial: string; revokedAt: Date; reason: RevocationReason }

const REASONS: Record<RevocationReason, x509.X509CrlReason> = {
  unspecified: x509.X509CrlReason.unspecified,
  key_compromise: x509.X509CrlReason.keyCompromise,
  affiliation_changed: x509.X509CrlReason.affiliationChanged,
  superseded: x509.X509CrlReason.superseded,
  cessation_of_operation: x509.X509CrlReason.cessationOfOperation,
  privilege_withdrawn: x509.X509CrlReason.privilegeWithdrawn,
}

export const reasonCode = (reason: RevocationReason): number => REASONS[reason]

/** A signed CRL in DER. A list that has expired makes brokers refuse everybody. */
export async function signRevocationList(
  issuer: Issuer,
  revoked: Revoked[],
  list: { number: number; from: Date; until: Date },
): Promise<Buffer> {
  const number = AsnConvert.serialize(new CRLNumber(list.number))
  const crl = await x509.X509CrlGenerator.create({
    issuer: issuer.certificate.subject,
    thisUpdate: list.from,
    nextUpdate: list.until,
    entries: revoked.map(({ serial, revokedAt, reason }) => ({
      serialNumber: serial,
      revocationDate: revokedAt,
      // RFC 5280 wants no entry for a reason that says nothing.
      ...(reason === 'unspecified' ? {} : { reason: REASONS[reason] }),
    })),
    signingAlgorithm: x509.P256,
    signingKey: issuer.key,
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
      new x509.Extension(id_ce_cRLNumber, false, number),
    ],
  })
  return Buffer.from(crl.rawData)
}
