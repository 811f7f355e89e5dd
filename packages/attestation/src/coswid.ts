import { bytesOf, decodeCbor, encodeCbor, listOf, mapOf, textOf } from './cbor.ts'
import { MalformedEvidence } from './malformed.ts'

// Keys of RFC 9393: a software identity whose evidence is a list of measured files.
const TAG_ID = 0
const SOFTWARE_NAME = 1
const EVIDENCE = 3
const HASH = 7
const TAG_VERSION = 12
const SOFTWARE_VERSION = 13
const FILE = 17
const FILE_NAME = 24
/** Of the registry of named information hashes. */
const SHA_256 = 1

/** Something that was measured before it ran, in the order in which it did. */
export type Measurement = { name: string; sha256: string }

export type Software = { name: string; version: string; measurements: Measurement[] }

export const encodeCoswid = ({ name, version, measurements }: Software): Buffer =>
  encodeCbor(
    new Map<number, unknown>([
      [TAG_ID, `${name}/${version}`],
      [SOFTWARE_NAME, name],
      [EVIDENCE, new Map([[FILE, measurements.map(fileOf)]])],
      [TAG_VERSION, 0],
      [SOFTWARE_VERSION, version],
    ]),
  )

const fileOf = ({ name, sha256 }: Measurement) =>
  new Map<number, unknown>([
    [HASH, [SHA_256, Buffer.from(sha256, 'hex')]],
    [FILE_NAME, name],
  ])

export function decodeCoswid(bytes: Uint8Array): Software {
  const tag = mapOf(decodeCbor(bytes), 'the measured software')
  const evidence = mapOf(tag.get(EVIDENCE), 'the evidence')
  return {
    name: textOf(tag.get(SOFTWARE_NAME), 'the name of the software'),
    version: textOf(tag.get(SOFTWARE_VERSION), 'the version of the software'),
    measurements: listOf(evidence.get(FILE), 'the measured files').map(measurementOf),
  }
}

function measurementOf(value: unknown): Measurement {
  const file = mapOf(value, 'a measured file')
  const [hash, digest] = listOf(file.get(HASH), 'the hash of a measured file')
  const sha256 = bytesOf(digest, 'the hash of a measured file').toString('hex')
  if (hash !== SHA_256 || sha256.length !== 64) {
    throw new MalformedEvidence('the hash of a measured file is not a SHA-256')
  }
  return { name: textOf(file.get(FILE_NAME), 'the name of a measured file'), sha256 }
}
