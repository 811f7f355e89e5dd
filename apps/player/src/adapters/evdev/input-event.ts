import type { InputEvent } from '../../ports/buttons.ts'

// struct input_event on 64-bit machines: two 8-byte halves of the time, then type, code and value.
const SIZE = 24
const TYPE_AT = 16
const CODE_AT = 18
const VALUE_AT = 20

/** Takes the bytes as they come, in pieces of any length, and gives the events that are whole. */
export function createInputReader(): (bytes: Uint8Array) => InputEvent[] {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    const all = Buffer.concat([rest, bytes])
    const whole = Math.floor(all.length / SIZE)
    rest = all.subarray(whole * SIZE)
    return Array.from({ length: whole }, (_, index) => {
      const at = index * SIZE
      return {
        type: all.readUInt16LE(at + TYPE_AT),
        code: all.readUInt16LE(at + CODE_AT),
        value: all.readInt32LE(at + VALUE_AT),
      }
    })
  }
}
