import { decode, encode } from 'cborg'
import { MalformedEvidence } from './malformed.ts'

const LONGEST_TEXT = 1_000

export const encodeCbor = (value: unknown): Buffer => Buffer.from(encode(value))

/** Strict: the shortest form of every length, no key twice, nothing behind the end. */
export function decodeCbor(bytes: Uint8Array, tags: readonly number[] = []): unknown {
  try {
    return decode(bytes, {
      strict: true,
      useMaps: true,
      rejectDuplicateMapKeys: true,
      allowIndefinite: false,
      allowUndefined: false,
      tags: Object.fromEntries(tags.map((tag) => [tag, (content: () => unknown) => content()])),
    })
  } catch (error) {
    throw new MalformedEvidence('is not deterministic CBOR', { cause: error })
  }
}

export function mapOf(value: unknown, what: string): Map<unknown, unknown> {
  if (value instanceof Map) return value
  throw new MalformedEvidence(`${what} is not a map`)
}

export function bytesOf(value: unknown, what: string): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value)
  throw new MalformedEvidence(`${what} is not a byte string`)
}

/** A name or a version, such as a database can hold and a person can read. */
export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new MalformedEvidence(`${what} is not a text`)
  if (value.length > LONGEST_TEXT) {
    throw new MalformedEvidence(`${what} has more than ${LONGEST_TEXT} characters`)
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new MalformedEvidence(`${what} is not valid Unicode without NUL`)
  }
  return value
}

export function listOf(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new MalformedEvidence(`${what} is not a list`)
}

/** Of zero or more. */
export function countOf(value: unknown, what: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new MalformedEvidence(`${what} is not a whole number`)
}
