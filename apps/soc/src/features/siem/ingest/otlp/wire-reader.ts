import { invalid } from '@manara/kit/errors'

/** One field of a protobuf message; its value is a number, or the bytes that hold it. */
export type WireField = { number: number; value: bigint; bytes: Buffer }

const NO_BYTES = Buffer.alloc(0)

/** The fields of a message as they stand; what a field means is the caller's to know. */
export function* wireFields(message: Buffer): Iterable<WireField> {
  let at = 0

  function varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at]
      if (byte === undefined) throw cutOff()
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw cutOff()
  }

  function take(length: number): Buffer {
    if (at + length > message.length) throw cutOff()
    at += length
    return message.subarray(at - length, at)
  }

  while (at < message.length) {
    const key = Number(varint())
    const number = Math.floor(key / 8)
    const kind = key % 8
    if (kind === 0) yield { number, value: varint(), bytes: NO_BYTES }
    else if (kind === 1) {
      const bytes = take(8)
      yield { number, value: bytes.readBigUInt64LE(), bytes }
    } else if (kind === 2) yield { number, value: 0n, bytes: take(Number(varint())) }
    else if (kind === 5) {
      const bytes = take(4)
      yield { number, value: BigInt(bytes.readUInt32LE()), bytes }
    } else throw cutOff()
  }
}

export function doubleIn(bytes: Buffer): number {
  if (bytes.length !== 8) throw cutOff()
  return bytes.readDoubleLE()
}

const cutOff = () => invalid('body', 'is not valid protobuf')
