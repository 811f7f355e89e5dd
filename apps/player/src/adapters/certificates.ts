import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { writeDurably } from '@manara/kit/write-durably'
import { issueLeaf, issueRoot, permittedNetworks } from './x509/issue.ts'
import { createVouchable, LOCAL_NETWORKS } from './x509/local-names.ts'

export type Certificate = { key: string; cert: string }

export type CertificateDeps = {
  dataDir: string
  /** Names and addresses the box is reached under, as they are now. */
  names(): readonly string[]
  /** Networks the box is in now. Its root is limited to these and to private ones. */
  networks(): readonly string[]
  /** Unix milliseconds, and whether anything vouches for them. */
  now(): { ms: number; isTrusted: boolean }
}

const DAY_MS = 86_400_000
// The longest that browsers take from a public authority is 398 days; some ask it of every one.
const VALID_DAYS = 397
const RENEW_BEFORE_MS = 30 * DAY_MS
// The first boot may happen in 1970, before the clock is set: validity never starts before this.
const EARLIEST_MS = Date.parse('2026-01-01T00:00:00Z')
const ROOT_VALIDITY = {
  from: new Date('2025-01-01T00:00:00Z'),
  until: new Date('2049-12-31T00:00:00Z'),
}

/**
 * The box's own authority, made at first boot and kept until a factory reset, and the certificate it
 * has signed for the names the box has now. A pair torn by a power cut is made anew.
 */
export function createCertificates({ dataDir, names, networks, now }: CertificateDeps) {
  const at = (name: string) => path.join(dataDir, name)
  const root = keptPair(at('ca')) ?? makeRoot()
  const rootCommonName = commonNameOf(root.cert)
  const isVouchable = createVouchable(permittedNetworks(root.cert))
  // One name beyond the limits of the root would make the whole certificate invalid.
  const vouchedNames = () => names().filter(isVouchable)
  let leaf = keptPair(at('tls'))

  function makeRoot() {
    const key = newKey()
    const commonName = `Manara box ${randomBytes(4).toString('hex')}`
    return keep(
      'ca',
      key,
      issueRoot({ commonName, key }, [...LOCAL_NETWORKS, ...networks()], ROOT_VALIDITY),
    )
  }

  function makeLeaf() {
    const key = leaf?.key ?? newKey()
    const from_ms = Math.floor(Math.max(now().ms, EARLIEST_MS) / DAY_MS - 1) * DAY_MS
    const validity = {
      from: new Date(from_ms),
      until: new Date(from_ms + VALID_DAYS * DAY_MS - 1000),
    }
    const authority = { commonName: rootCommonName, key: root.key }
    const subject = { commonName: 'Manara player', key }
    return keep('tls', key, issueLeaf(authority, subject, vouchedNames(), validity))
  }

  function keep(name: string, key: KeyObject, cert: string) {
    writeDurably(at(`${name}.key`), pemOf(key), 0o600)
    writeDurably(at(`${name}.crt`), cert, 0o644)
    return { key, cert: new X509Certificate(cert) }
  }

  /** Addresses that went away may come back, so only what is missing counts. */
  function isStale({ cert }: Pair): boolean {
    const { ms, isTrusted } = now()
    return (
      !cert.verify(root.cert.publicKey) ||
      !vouchedNames().every((name) => holds(cert, name)) ||
      ms > cert.validToDate.getTime() - RENEW_BEFORE_MS ||
      // A clock that nobody vouches for may have fallen back; phones know better.
      (isTrusted && ms < cert.validFromDate.getTime() && ms > EARLIEST_MS)
    )
  }

  /** The certificate to use from now on, if it is another than before. */
  function renewed(): Certificate | undefined {
    if (leaf && !isStale(leaf)) return undefined
    leaf = makeLeaf()
    return inPem(leaf)
  }

  return {
    renewed,
    current: (): Certificate => renewed() ?? inPem(leaf as Pair),
    /** What a phone installs once. */
    root: { pem: root.cert.toString(), fingerprint: root.cert.fingerprint256 },
  }
}

type Pair = { key: KeyObject; cert: X509Certificate }

function keptPair(file: string): Pair | undefined {
  try {
    const key = createPrivateKey(readFileSync(`${file}.key`))
    const cert = new X509Certificate(readFileSync(`${file}.crt`))
    return cert.checkPrivateKey(key) ? { key, cert } : undefined
  } catch {
    return undefined
  }
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string
const inPem = ({ key, cert }: Pair): Certificate => ({ key: pemOf(key), cert: cert.toString() })
const commonNameOf = (cert: X509Certificate) => cert.subject.replace(/^CN=/, '')
const holds = (cert: X509Certificate, name: string) =>
  (isIP(name) === 0 ? cert.checkHost(name) : cert.checkIP(name)) !== undefined
