import { createPrivateKey, webcrypto } from 'node:crypto'
import * as x509 from '../features/cps/authority/x509.ts'

/** A fresh key of a device with its certificate request, in PEM. */
export async function deviceKeys(algorithm: { name: string; namedCurve: string } = x509.P256) {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    csr: await requestOf(keys),
    key: createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }),
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
