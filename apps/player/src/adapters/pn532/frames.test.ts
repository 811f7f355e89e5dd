import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAnswerReader, encodeCommand } from './frames.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const ACK = hex('00 00 FF 00 FF 00')
// From the user manual: the answer to GetFirmwareVersion of a PN532 version 1.6.
const FIRMWARE = hex('00 00 FF 06 FA D5 03 32 01 06 07 E8 00')

test('a command is framed as the manual shows it', () => {
  assert.deepEqual(encodeCommand(0x02), hex('00 00 FF 02 FE D4 02 2A 00'))
  assert.deepEqual(encodeCommand(0x4a, 1, 0), hex('00 00 FF 04 FC D4 4A 01 00 E1 00'))
})

for (const [what, bytes, answers] of [
  ['an answer', [FIRMWARE], ['0332010607']],
  ['an acknowledgement alone', [ACK], []],
  ['an acknowledgement and its answer', [ACK, FIRMWARE], ['0332010607']],
  ['noise before it', [hex('55 00 00 FF 13 00 FF'), FIRMWARE], ['0332010607']],
  ['a wrong sum, then a right one', [hex('00 00 FF 02 FE D5 15 17 00'), FIRMWARE], ['0332010607']],
  ['our own words echoed', [encodeCommand(0x02), FIRMWARE], ['0332010607']],
] as const) {
  test(`answers out of ${what}`, () => {
    const read = createAnswerReader()
    assert.deepEqual(
      bytes.flatMap((part) => read(part)).map((answer) => answer.toString('hex')),
      answers,
    )
  })
}

test('however the line cuts the bytes, the answers are the same', () => {
  const answer = fc.uint8Array({ minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 5 }), fc.array(fc.nat(300)), (answers, cuts) => {
      const stream = Buffer.concat(answers.flatMap((data) => [ACK, chipSays(data)]))
      const read = createAnswerReader()
      const edges = [0, ...cuts.map((cut) => cut % (stream.length + 1)), stream.length]
      edges.sort((a, b) => a - b)
      const found = edges.slice(1).flatMap((to, index) => read(stream.subarray(edges[index], to)))
      assert.deepEqual(
        found.map((data) => [...data]),
        answers.map((data) => [...data]),
      )
    }),
  )
})

test('no noise makes it throw or grow', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (parts) => {
      const read = createAnswerReader()
      for (const part of parts) read(Buffer.from(part))
    }),
  )
})

function chipSays(data: Uint8Array): Buffer {
  const bytes = [0xd5, ...data]
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  return Buffer.from([
    ...[0x00, 0x00, 0xff, bytes.length, 256 - bytes.length],
    ...bytes,
    (256 - (sum & 0xff)) & 0xff,
    0x00,
  ])
}
