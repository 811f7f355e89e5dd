/**
 * The protocol between libpcsclite and pcscd, version 4.4 (winscard_msg.h): a header of length and
 * command, then a structure of 32-bit numbers in the order of the machine, sent back filled in.
 */
export const VERSION = { major: 4, minor: 4 }

export const COMMAND = {
  establishContext: 0x01,
  connect: 0x04,
  disconnect: 0x06,
  transmit: 0x09,
  version: 0x11,
  readerStates: 0x12,
} as const

const NAME_BYTES = 128
const STATE_BYTES = 184
const MOST_READERS = 16
export const STATES_BYTES = MOST_READERS * STATE_BYTES

const CARD_PRESENT = 0x0004
const SHARED = 2
const ANY_PROTOCOL = 3
const LARGEST_ANSWER = 264

export function header(command: number, length: number): Buffer {
  return numbers(length, command)
}

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}

export type ReaderState = {
  name: string
  /** Counts every card that came or went. */
  events: number
  hasCard: boolean
}

export function decodeStates(bytes: Buffer): ReaderState[] {
  const readers: ReaderState[] = []
  for (let at = 0; at < STATES_BYTES; at += STATE_BYTES) {
    const name = untilNul(bytes.subarray(at, at + NAME_BYTES))
    if (name === '') continue
    readers.push({
      name,
      events: bytes.readUInt32LE(at + NAME_BYTES),
      hasCard: (bytes.readUInt32LE(at + NAME_BYTES + 4) & CARD_PRESENT) !== 0,
    })
  }
  return readers
}

export function connectRequest(context: number, reader: string): Buffer {
  const name = Buffer.alloc(NAME_BYTES)
  name.write(reader, 'utf8')
  return Buffer.concat([numbers(context), name, numbers(SHARED, ANY_PROTOCOL, 0, 0, 0)])
}

export function decodeConnected(reply: Buffer): { result: number; card: number; protocol: number } {
  const at = 4 + NAME_BYTES + 8
  return {
    card: reply.readUInt32LE(at),
    protocol: reply.readUInt32LE(at + 4),
    result: reply.readUInt32LE(at + 8),
  }
}

/** Card, protocol of what is sent and received, lengths, result. */
export const transmitRequest = (card: number, protocol: number, length: number) =>
  numbers(card, protocol, 8, length, protocol, 8, LARGEST_ANSWER, 0)

export const decodeTransmitted = (reply: Buffer) => ({
  length: reply.readUInt32LE(24),
  result: reply.readUInt32LE(28),
})

const untilNul = (bytes: Buffer) => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}
