import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFrames } from './syslog-frames.ts'

function read(bytes: Buffer, cuts: number[] = [], mostBytes = 1_000): string[] {
  const frames = createFrames(mostBytes)
  const messages: string[] = []
  let from = 0
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    if (cut <= from || cut > bytes.length) continue
    messages.push(...frames.push(bytes.subarray(from, cut)))
    from = cut
  }
  return [...messages, ...frames.end()]
}

const EXAMPLES: [what: string, stream: string, messages: string[]][] = [
  ['newlines', '<1>a\n<2>b\r\n\n<3>c', ['<1>a', '<2>b', '<3>c']],
  ['NUL', '<1>a\0<2>b\0', ['<1>a', '<2>b']],
  ['counted', '5 <1>ab8 <1>c\nd\ne', ['<1>ab', '<1>c\nd\ne']],
  ['both, frame by frame', '<1>a\n4 <2>b<3>c\n', ['<1>a', '<2>b', '<3>c']],
  ['counted, and broken off', '5 <1>ab99 <2>cd', ['<1>ab', '<2>cd']],
  ['digits that are no length', '12 monkeys\n007 <1>x\n', ['12 monkeys', '007 <1>x']],
]
for (const [what, stream, messages] of EXAMPLES) {
  test(what, () => assert.deepEqual(read(Buffer.from(stream)), messages))
}

test('a long message is cut, and the next one is whole', () => {
  const long = 'x'.repeat(50)
  assert.deepEqual(read(Buffer.from(`<1>${long}\n<2>b\n`), [], 10), ['<1>xxxxxxx', '<2>b'])
  assert.deepEqual(read(Buffer.from(`53 <1>${long}<2>b\n`), [], 10), ['<1>xxxxxxx', '<2>b'])
})

for (const [what, end] of [
  ['newlines', '\n'],
  ['NULs', '\0'],
]) {
  test(`nothing but ${what} is looked at once`, () => {
    const bytes = Buffer.from(`${end}`.repeat(10_000))
    let looked = 0
    const indexOf = bytes.indexOf.bind(bytes) as (byte: number, from: number) => number
    bytes.indexOf = ((byte: number, from: number) => {
      const found = indexOf(byte, from)
      looked += (found < 0 ? bytes.length : found + 1) - from
      return found
    }) as typeof bytes.indexOf
    assert.deepEqual(createFrames(1_000).push(bytes), [])
    assert.ok(looked <= 2 * bytes.length, `${looked}`)
  })
}

test('however the stream is cut, the messages are the same', () => {
  const message = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .map((text) => `<13>${text.replaceAll(/[\n\r\0]/g, ' ')}`)
  const frame = fc.record({ message, isCounted: fc.boolean() })
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1 }), fc.array(fc.nat(400)), (sent, cuts) => {
      const stream = sent.map(({ message: text, isCounted }) =>
        isCounted ? `${Buffer.byteLength(text)} ${text}` : `${text}\n`,
      )
      const messages = sent.map(({ message: text }) => text)
      assert.deepEqual(read(Buffer.from(stream.join('')), cuts), messages)
    }),
    { numRuns: 300 },
  )
})
