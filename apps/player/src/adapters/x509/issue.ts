import {
  createHash,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  type X509Certificate,
} from 'node:crypto'
import { isIP } from 'node:net'
import {
  bits,
  der,
  integer,
  octets,
  oid,
  parts,
  pem,
  sequence,
  set,
  time,
  utf8,
  yes,
} from './der.ts'
import { addressBytes, LOCAL_NAMES, networkBytes, networkOf } from './local-names.ts'

// Kinds of names, and the extension that limits them.
const DNS_NAME = 0x82
const ADDRESS = 0x87
const NAME_CONSTRAINTS = '551d1e'

type Validity = { from: Date; until: Date }
type Issuer = { commonName: string; key: KeyObject }

/**
 * A certificate that may sign others, but only for local names and these networks: who installs it on
 * a phone trusts the box at home and gives its key no power over any site.
 */
export function issueRoot(issuer: Issuer, networks: readonly string[], validity: Validity): string {
  return issue(issuer, issuer, validity, [
    extension('551d13', true, sequence(yes, integer(Buffer.from([0])))), // a CA, of leaves only
    extension('551d0f', true, bits(Buffer.from([0x06]), 1)), // keyUsage: keyCertSign, cRLSign
    extension(NAME_CONSTRAINTS, true, nameConstraints(networks)),
    subjectKeyId(issuer.key),
  ])
}

/** A certificate of a server for these names and addresses. */
export function issueLeaf(
  root: Issuer,
  subject: Issuer,
  names: readonly string[],
  validity: Validity,
): string {
  return issue(root, subject, validity, [
    extension('551d13', true, sequence()), // basicConstraints: not a CA
    extension('551d0f', true, bits(Buffer.from([0x80]), 7)), // keyUsage: digitalSignature
    extension('551d25', false, sequence(oid('2b06010505070301'))), // extKeyUsage: serverAuth
    extension('551d11', false, sequence(...names.map(alternativeName))),
    subjectKeyId(subject.key),
    extension('551d23', false, sequence(der(0x80, keyId(root.key)))),
  ])
}

/** X.509 v3, RFC 5280 section 4.1, signed with ECDSA and SHA-256. */
function issue(
  issuer: Issuer,
  subject: Issuer,
  { from, until }: Validity,
  extensions: Buffer[],
): string {
  const serial = randomBytes(16)
  // A positive integer without leading zeros.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 1
  const ecdsaSha256 = sequence(oid('2a8648ce3d040302'))
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaSha256,
    named(issuer.commonName),
    sequence(time(from), time(until)),
    named(subject.commonName),
    publicKey(subject.key),
    der(0xa3, sequence(...extensions)),
  )
  return pem(sequence(body, ecdsaSha256, bits(sign('sha256', body, issuer.key))))
}

const publicKey = (key: KeyObject) =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }) as Buffer
// Of the point alone: the last 65 bytes of a P-256 key.
const keyId = (key: KeyObject) => createHash('sha1').update(publicKey(key).subarray(-65)).digest()
const subjectKeyId = (key: KeyObject) => extension('551d0e', false, octets(keyId(key)))
const named = (commonName: string) => sequence(set(sequence(oid('550403'), utf8(commonName))))
const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [yes] : []), octets(value))
const alternativeName = (name: string) =>
  isIP(name) === 0 ? der(DNS_NAME, name) : der(ADDRESS, addressBytes(name))

function nameConstraints(networks: readonly string[]): Buffer {
  const permitted = [
    ...LOCAL_NAMES.map((name) => sequence(der(DNS_NAME, name))),
    ...networks.map((network) => sequence(der(ADDRESS, networkBytes(network)))),
  ]
  return sequence(der(0xa0, ...permitted))
}

/** The networks that a root of ours is limited to. */
export function permittedNetworks({ raw }: X509Certificate): string[] {
  const id = oid(NAME_CONSTRAINTS)
  const [, value] = parts(raw.subarray(raw.indexOf(id) + id.length))
  const [list] = parts(value?.content ?? Buffer.alloc(0))
  const [permitted] = parts(list?.content ?? Buffer.alloc(0))
  return parts(permitted?.content ?? Buffer.alloc(0))
    .flatMap(({ content }) => parts(content))
    .filter(({ tag }) => tag === ADDRESS)
    .map(({ content }) => networkOf(content))
}
