import { generateKeyPairSync } from 'node:crypto'
import { issueLeaf } from '../adapters/x509/issue.ts'

/** Key and certificate of a server of any name, signed by itself. */
export function selfSigned(names: string[]): { key: string; cert: string } {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const self = { commonName: names[0] ?? '', key }
  const validity = { from: new Date('2020-01-01'), until: new Date('2120-01-01') }
  return {
    key: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: issueLeaf(self, self, names, validity),
  }
}
