import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import mqttPacket from 'mqtt-packet'
import { createPacketLengths } from './packet-lengths.ts'

const MOST = { first: 50, later: 300 }

const message = (bytes: number) =>
  mqttPacket.generate({
    ...{ cmd: 'publish', topic: 'a', payload: Buffer.alloc(bytes) },
    ...{ qos: 0, dup: false, retain: false },
  })

test('packets end where they end, however they are cut', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 290 }), { maxLength: 8 })
  fc.assert(
    fc.property(sizes, fc.array(fc.nat({ max: 3_000 })), (bytes, cuts) => {
      const packets = [message(10), ...bytes.map(message)]
      const all = Buffer.concat(packets)
      const ends = packets.map((_, at) => Buffer.concat(packets.slice(0, at + 1)).length)
      const places = [...new Set([...cuts.map((cut) => cut % all.length), all.length])]
      const wholeOf = createPacketLengths(MOST)
      let from = 0
      for (const to of places.toSorted((a, b) => a - b)) {
        const whole = wholeOf(all.subarray(from, to))
        const last = ends.findLast((end) => end > from && end <= to)
        assert.equal(whole, last === undefined ? 0 : last - from)
        from = to
      }
    }),
  )
})

for (const [what, bytes] of [
  ['a first packet above its limit', [0x10, 51]],
  ['a later one above its limit', [0x10, 0, 0x30, 0xad, 0x02]],
  ['the largest there is', [0x10, 0xff, 0xff, 0xff, 0x7f]],
  ['a length without an end', [0x10, 0x80, 0x80, 0x80, 0x80]],
] as const) {
  test(`${what} is refused at its length`, () => {
    const wholeOf = createPacketLengths(MOST)
    const answers = bytes.map((byte) => wholeOf(Buffer.from([byte])))
    assert.equal(answers.at(-1), undefined)
    assert.equal(createPacketLengths(MOST)(Buffer.from(bytes)), undefined)
  })
}

test('what is as large as allowed is taken', () => {
  const wholeOf = createPacketLengths(MOST)
  const packets = Buffer.concat([Buffer.from([0x10, 50]), Buffer.alloc(50), message(296)])
  assert.equal(wholeOf(packets), packets.length)
})
