import { createHash } from 'node:crypto'
import { invalid } from '@manara/kit/errors'
import * as x509 from './x509.ts'

export type SigningRequest = {
  publicKey: x509.PublicKey
  /** SHA-256 of the public key, in hex. */
  keySha256: string
  der: Buffer
}

/** PKCS#10 as PEM or base64 of DER. Its signature proves that the sender has the key. */
export async function readSigningRequest(text: string): Promise<SigningRequest> {
  const { request, algorithm } = parse(text)
  if (algorithm.name !== 'ECDSA' || algorithm.namedCurve !== 'P-256') {
    throw invalid('csr', 'must have a key on the curve P-256')
  }
  if (!(await request.verify().catch(() => false))) {
    throw invalid('csr', 'is not signed with its own key')
  }
  return {
    publicKey: request.publicKey,
    keySha256: keyDigest(request.publicKey),
    der: Buffer.from(request.rawData),
  }
}

const keyDigest = ({ rawData }: x509.PublicKey): string =>
  createHash('sha256').update(Buffer.from(rawData)).digest('hex')

function parse(text: string) {
  const base64 = text.replaceAll(/-----(BEGIN|END) (NEW )?CERTIFICATE REQUEST-----|\s/g, '')
  try {
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(base64, 'base64'))
    // Read when it is asked for, which throws for a curve in words of its own.
    const algorithm: { name: string; namedCurve?: string } = request.publicKey.algorithm
    return { request, algorithm }
  } catch {
    throw invalid('csr', 'is not a PKCS#10 certificate request')
  }
}
