import { randomBytes, type webcrypto } from 'node:crypto'
import * as x509 from './x509.ts'

type Keys = webcrypto.CryptoKeyPair
type Validity = { from: Date; until: Date }

export type Issuer = { certificate: x509.X509Certificate; key: webcrypto.CryptoKey }

const sign = x509.KeyUsageFlags.digitalSignature
// A device's clock may lag behind ours when it uses its certificate for the first time.
const LAG_MS = 5 * 60_000
const DAY_MS = 86_400_000

export const validFor = (days: number, now: number): Validity => ({
  from: new Date(now - LAG_MS),
  until: new Date(now + days * DAY_MS),
})

/** The root that vouches for devices and for the broker they talk to, and for nothing else. */
export async function issueRoot(keys: Keys, name: string, validity: Validity) {
  return x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: freshSerial(),
    name: `CN=${name}`,
    notBefore: validity.from,
    notAfter: validity.until,
    keys,
    signingAlgorithm: x509.P256,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        sign | x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
}

/** A certificate for a device that connects: its name is the id of the device. */
export const issueDevice = (
  issuer: Issuer,
  deviceId: string,
  publicKey: x509.PublicKey,
  validity: Validity,
) =>
  issueLeaf(issuer, deviceId, publicKey, validity, [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    new x509.SubjectAlternativeNameExtension([{ type: 'url', value: `urn:uuid:${deviceId}` }]),
  ])

/** A certificate for a broker that listens at these names and addresses. */
export const issueServer = (
  issuer: Issuer,
  names: { type: 'dns' | 'ip'; value: string }[],
  publicKey: webcrypto.CryptoKey,
  validity: Validity,
) =>
  issueLeaf(issuer, 'broker', publicKey, validity, [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(names),
  ])

async function issueLeaf(
  issuer: Issuer,
  commonName: string,
  publicKey: x509.PublicKey | webcrypto.CryptoKey,
  validity: Validity,
  extensions: x509.Extension[],
) {
  return x509.X509CertificateGenerator.create({
    serialNumber: freshSerial(),
    issuer: issuer.certificate.subject,
    subject: `CN=${commonName}`,
    notBefore: validity.from,
    notAfter: validity.until,
    publicKey,
    signingKey: issuer.key,
    signingAlgorithm: x509.P256,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(sign, true),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
      ...extensions,
    ],
  })
}

/** Positive, of 16 bytes, and written the same by every tool. */
function freshSerial(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes.toString('hex')
}
