import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { Authority } from './authority.ts'
import { issueDevice, issueServer, validFor } from './issue.ts'
import * as x509 from './x509.ts'

const DAYS = 397

/** A key and a certificate with which this service connects to a broker, under the name given. */
export async function clientCertificate(
  { issuer }: Authority,
  name: string,
  days: number,
  now: number,
): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey(x509.P256, true, ['sign', 'verify'])
  const publicKey = new x509.PublicKey(await crypto.subtle.exportKey('spki', keys.publicKey))
  const certificate = await issueDevice(issuer, name, publicKey, validFor(days, now))
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    key: x509.toPem('PRIVATE KEY', pkcs8),
    cert: x509.toPem('CERTIFICATE', certificate.rawData),
  }
}

/** Under which devices find this machine, when it listens on all of them. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((of) => of ?? [])
    // An address of a link means nothing without the name of an interface.
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address)

/** A key and a certificate for the broker, of the authority that devices know from enrolment. */
export async function serverCertificate(
  { issuer, pem }: Authority,
  names: string[],
  now: number,
): Promise<{ key: string; cert: string; ca: string }> {
  const keys = await crypto.subtle.generateKey(x509.P256, true, ['sign', 'verify'])
  const all = [...new Set(['localhost', '127.0.0.1', '::1', hostname(), ...names])]
  const certificate = await issueServer(
    issuer,
    all.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
    keys.publicKey,
    validFor(DAYS, now),
  )
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    key: x509.toPem('PRIVATE KEY', pkcs8),
    cert: x509.toPem('CERTIFICATE', certificate.rawData),
    ca: pem,
  }
}
