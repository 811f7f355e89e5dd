import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import path from 'node:path'
import { writeDurably } from '@manara/kit/write-durably'

export type Certificate = { key: string; cert: string }

/** The box's own certificate: made at first boot, kept until a factory reset. */
export function deviceCertificate(dataDir: string, names: string[]): Certificate {
  const keyFile = path.join(dataDir, 'tls.key')
  const certFile = path.join(dataDir, 'tls.crt')
  const kept = readPair(keyFile, certFile)
  if (kept) return kept
  const made = selfSigned(names)
  writeDurably(keyFile, made.key, 0o600)
  writeDurably(certFile, made.cert, 0o644)
  return made
}

/** The next start makes a new one. */
export function forgetCertificate(dataDir: string) {
  for (const name of ['tls.key', 'tls.crt']) rmSync(path.join(dataDir, name), { force: true })
}

/** A pair torn by a power cut between its two files counts as none. */
function readPair(keyFile: string, certFile: string): Certificate | undefined {
  if (!existsSync(keyFile) || !existsSync(certFile)) return undefined
  const pair = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
  try {
    const matches = new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))
    return matches ? pair : undefined
  } catch {
    return undefined
  }
}

// The first boot may happen in 1970, before the clock is set, so validity does not start "now".
const NOT_BEFORE = new Date('2020-01-01T00:00:00Z')
const NOT_AFTER = new Date('2120-01-01T00:00:00Z')

/** P-256, signed by itself, written as DER by hand: X.509 v3, RFC 5280 section 4.1. */
function selfSigned(names: string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const serial = randomBytes(16)
  // A positive integer without leading zeros.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 1

  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, names[0] ?? 'player'))))
  const ecdsaSha256 = sequence(oid('2a8648ce3d040302'))
  const extensions = [
    extension('551d13', true, sequence()), // basicConstraints: not a CA
    extension('551d0f', true, der(0x03, Buffer.from([7, 0x80]))), // keyUsage: digitalSignature
    extension('551d25', false, sequence(oid('2b06010505070301'))), // extKeyUsage: serverAuth
    extension('551d11', false, sequence(...names.map(alternativeName))),
    extension('551d0e', false, der(0x04, createHash('sha1').update(spki.subarray(-65)).digest())),
  ]
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaSha256,
    subject,
    sequence(time(NOT_BEFORE), time(NOT_AFTER)),
    subject,
    spki,
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: pem(sequence(body, ecdsaSha256, signature)),
  }
}

function der(tag: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as Buffer)))
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...content: Buffer[]) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (date: Date) => der(0x18, date.toISOString().replace(/[-:T]|\.\d+/g, ''))
const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [der(0x01, Buffer.from([255]))] : []), der(0x04, value))
const alternativeName = (name: string) =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, name)
const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END CERTIFICATE-----\n`
