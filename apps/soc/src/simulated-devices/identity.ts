import { createHash, createPrivateKey, type KeyObject, webcrypto } from 'node:crypto'
import type { Enrolled } from '@manara/soc-contract/cps'
import * as x509 from '../features/cps/authority/x509.ts'

/** What a device is known by, and connects with. */
export type Identity = {
  deviceId: string
  key: KeyObject
  keyPem: string
  enrolled: Enrolled
}

/** A key of a device with its certificate request, in PEM. */
export async function makeKey(algorithm: { name: string; namedCurve: string } = x509.P256) {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    csr: await requestOf(keys),
    key: createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }),
    keyPem: x509.toPem('PRIVATE KEY', pkcs8),
    /** Another request with the same key. */
    again: () => requestOf(keys),
  }
}

async function requestOf(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: 'CN=whatever the device calls itself',
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  })
  return x509.toPem('CERTIFICATE REQUEST', request.rawData)
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
