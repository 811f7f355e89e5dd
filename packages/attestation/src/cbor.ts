import { decode, encode } from 'cborg'
import { MalformedEvidence } from './malformed.ts'

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

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw new MalformedEvidence(`${what} is not a text`)
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
