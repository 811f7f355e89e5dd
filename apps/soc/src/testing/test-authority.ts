import { createPrivateKey, webcrypto } from 'node:crypto'
import { issueRoot, validFor } from '../features/cps/authority/issue.ts'
import * as x509 from '../features/cps/authority/x509.ts'

const newKeys = () => webcrypto.subtle.generateKey(x509.P256, true, ['sign', 'verify'])

async function keyText({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return key.export({ type: 'pkcs8', format: 'pem' }) as string
}

/** An authority of its own, and certificates that it signs for servers and clients alike. */
export async function testAuthority(name: string) {
  const keys = await newKeys()
  const validity = validFor(1, Date.now())
  const root = await issueRoot(keys, name, validity)
  return {
    ca: x509.toPem('CERTIFICATE', root.rawData),
    async issue(
      commonName: string,
      otherNames: x509.JsonGeneralNames = [{ type: 'dns', value: commonName }],
    ) {
      const own = await newKeys()
      const { ExtendedKeyUsage } = x509
      const certificate = await x509.X509CertificateGenerator.create({
        issuer: root.subject,
        subject: `CN=${commonName}`,
        notBefore: validity.from,
        notAfter: validity.until,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: x509.P256,
        extensions: [
          new x509.ExtendedKeyUsageExtension([
            ExtendedKeyUsage.serverAuth,
            ExtendedKeyUsage.clientAuth,
          ]),
          new x509.SubjectAlternativeNameExtension(otherNames),
        ],
      })
      return { cert: x509.toPem('CERTIFICATE', certificate.rawData), key: await keyText(own) }
    },
  }
}
