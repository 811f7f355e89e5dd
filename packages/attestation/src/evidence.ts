import type { KeyObject } from 'node:crypto'
import { bytesOf, countOf, decodeCbor, encodeCbor, listOf, mapOf, textOf } from './cbor.ts'
import { readCose, signCose } from './cose-sign1.ts'
import { decodeCoswid, encodeCoswid, type Measurement } from './coswid.ts'
import { MalformedEvidence } from './malformed.ts'

/** Which of the claims of RFC 9711 there are and what they mean: this page's own profile. */
const PROFILE = 'tag:manara,2026:device-attestation'
/** The measurement that is the firmware itself; the others are of its boot. */
const FIRMWARE = 'firmware'

// Claim keys of RFC 8392 (iat) and RFC 9711.
const ISSUED_AT = 6
const NONCE = 10
const UEID = 256
const UPTIME = 261
const DEBUG_STATUS = 263
const EAT_PROFILE = 265
const BOOT_COUNT = 267
const BOOT_SEED = 268
const MEASUREMENTS = 273
/** The CoAP content format of a CoSWID tag. */
const COSWID = 258
/** A UEID that is random. */
const RANDOM_UEID = 0x01
const DEBUG_ENABLED = 0
const DEBUG_DISABLED = 1

/** What a device says about itself. */
export type Claims = {
  device_id: string
  /** As it was asked, base64url. */
  nonce: string
  issued_at: string
  firmware: { name: string; version: string; sha256: string }
  /** Of the boot, in its order: loader, kernel, configuration … */
  measurements: Measurement[]
  /** Grows by one with every start of the device. */
  boot_count: number
  /** Made anew at every start, 16 bytes or more in hex: two that run at once differ in it. */
  boot_seed: string
  uptime_s: number
  /** Whether a debugger could change what runs. */
  debug: boolean
}

export type Evidence = {
  claims: Claims
  /** SHA-256 of the certificate that is said to have signed, in hex. */
  fingerprint: string
  isSignedBy(publicKey: KeyObject): boolean
}

/** The answer to a request: an Entity Attestation Token, signed with the key of the certificate. */
export const signEvidence = (claims: Claims, key: KeyObject, fingerprint: string): Buffer =>
  signCose(encodeClaims(claims), key, fingerprint)

/** Throws `MalformedEvidence`. The signature is not checked yet: that takes the signer's key. */
export function readEvidence(bytes: Uint8Array): Evidence {
  const { payload, fingerprint, isSignedBy } = readCose(bytes)
  return { claims: decodeClaims(payload), fingerprint, isSignedBy }
}

function encodeClaims(claims: Claims): Buffer {
  const { name, version, sha256 } = claims.firmware
  const measurements = [{ name: FIRMWARE, sha256 }, ...claims.measurements]
  return encodeCbor(
    new Map<number, unknown>([
      [ISSUED_AT, Math.floor(Date.parse(claims.issued_at) / 1000)],
      [NONCE, Buffer.from(claims.nonce, 'base64url')],
      [UEID, Buffer.from(`01${claims.device_id.replaceAll('-', '')}`, 'hex')],
      [UPTIME, claims.uptime_s],
      [DEBUG_STATUS, claims.debug ? DEBUG_ENABLED : DEBUG_DISABLED],
      [EAT_PROFILE, PROFILE],
      [BOOT_COUNT, claims.boot_count],
      [BOOT_SEED, Buffer.from(claims.boot_seed, 'hex')],
      [MEASUREMENTS, [[COSWID, encodeCoswid({ name, version, measurements })]]],
    ]),
  )
}

function decodeClaims(payload: Uint8Array): Claims {
  const claims = mapOf(decodeCbor(payload), 'the claims set')
  if (claims.get(EAT_PROFILE) !== PROFILE) {
    throw new MalformedEvidence(`eat_profile is not ${PROFILE}`)
  }
  const [measured] = listOf(claims.get(MEASUREMENTS), 'measurements')
  const [format, tag] = listOf(measured, 'measurements')
  if (format !== COSWID) throw new MalformedEvidence('measurements are not a CoSWID tag')
  const { name, version, measurements } = decodeCoswid(bytesOf(tag, 'measurements'))
  const firmware = measurements.find((one) => one.name === FIRMWARE)
  if (!firmware) throw new MalformedEvidence('nothing measured is named firmware')
  return {
    device_id: deviceOf(bytesOf(claims.get(UEID), 'ueid')),
    nonce: bytesOf(claims.get(NONCE), 'eat_nonce').toString('base64url'),
    issued_at: momentOf(countOf(claims.get(ISSUED_AT), 'iat')),
    firmware: { name: textOf(name, 'swname'), version, sha256: firmware.sha256 },
    measurements: measurements.filter((one) => one !== firmware),
    boot_count: countOf(claims.get(BOOT_COUNT), 'bootcount'),
    boot_seed: bytesOf(claims.get(BOOT_SEED), 'bootseed').toString('hex'),
    uptime_s: countOf(claims.get(UPTIME), 'uptime'),
    debug: countOf(claims.get(DEBUG_STATUS), 'dbgstat') === DEBUG_ENABLED,
  }
}

function deviceOf(ueid: Buffer): string {
  if (ueid.length !== 17 || ueid[0] !== RANDOM_UEID) {
    throw new MalformedEvidence('ueid is not a random one of 16 bytes')
  }
  return ueid
    .subarray(1)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function momentOf(seconds: number): string {
  const moment = new Date(seconds * 1000)
  if (Number.isNaN(moment.getTime())) throw new MalformedEvidence('iat is no time')
  return moment.toISOString()
}
