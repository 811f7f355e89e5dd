import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createGramCollector, type GramFilter } from './gram-filter.ts'
import type { PlainRows } from './mark-bytes.ts'
import type { PackedTexts } from './packed-logs.ts'

function packed(texts: readonly string[]): PackedTexts {
  const starts = new Uint32Array(texts.length + 1)
  for (const [row, text] of texts.entries()) starts[row + 1] = (starts[row] ?? 0) + text.length
  return {
    starts,
    isNull: new Uint8Array(texts.length),
    heap: Buffer.from(texts.join(''), 'latin1'),
  }
}

function markedByBytes(parts: PlainRows[], filter?: GramFilter): GramFilter {
  const collector = createGramCollector(filter)
  collector.addPlain(parts)
  return collector.marks
}

function markedByLetters(parts: PlainRows[], filter?: GramFilter): GramFilter {
  const collector = createGramCollector(filter)
  for (const { column, from, to, kind } of parts) {
    for (let row = from; row < to; row++) {
      const text = column.heap.toString('latin1', column.starts[row], column.starts[row + 1])
      if (kind === 'id') collector.addId(text)
      else if (kind === 'text') collector.addText(text)
      else for (const one of text.replaceAll('\x1e', '\x1f').split('\x1f')) collector.addText(one)
    }
  }
  return collector.marks
}

function assertSame(parts: PlainRows[], filter?: GramFilter) {
  const [bytes, letters] = [markedByBytes(parts, filter), markedByLetters(parts, filter)]
  for (const name of ['short', 'long', 'middle', 'ids'] as const) {
    assert.equal(Buffer.compare(bytes[name], letters[name]), 0, name)
  }
}

/** Large enough for what one run marks, and made in a moment. */
const SMALL: GramFilter = {
  short: new Uint8Array(2 ** 11),
  long: new Uint8Array(2 ** 11),
  middle: new Uint8Array(2 ** 11),
  ids: new Uint8Array(2 ** 11),
}

const anyLetter = fc.nat(127).map((unit) => String.fromCharCode(unit))
const fewLetters = fc.constantFrom(...'abzAZ019.:- /\\@[`{\x1e\x1f')
const address = fc
  .tuple(fc.array(fc.nat(300), { minLength: 2, maxLength: 6 }), fc.constantFrom('.', ':', '..'))
  .map(([parts, between]) => parts.join(between))
const text = fc.oneof(
  fc.string({ unit: anyLetter, maxLength: 60 }),
  fc.string({ unit: fewLetters, maxLength: 60 }),
  address,
  fc
    .array(fc.oneof(address, fc.string({ unit: fewLetters, maxLength: 20 })), { maxLength: 12 })
    .map((some) => some.join(' ')),
)
const part = fc
  .record({
    texts: fc.array(text, { minLength: 1, maxLength: 12 }),
    before: fc.nat(3),
    after: fc.nat(3),
    kind: fc.constantFrom('text', 'list', 'id'),
  })
  .map(({ texts, before, after, kind }): PlainRows => {
    const from = Math.min(before, texts.length)
    return { column: packed(texts), from, to: Math.max(from, texts.length - after), kind }
  })
const parts = fc.array(part, { minLength: 1, maxLength: 4 })

test('marks set from bytes are those of the texts, whatever stands before, between and after', () => {
  fc.assert(
    fc.property(parts, (some) => assertSame(some, SMALL)),
    { numRuns: 1_000 },
  )
})

test('marks that were set stay, also in bitmaps that were made smaller', () => {
  fc.assert(
    fc.property(parts, parts, (earlier, later) => {
      const collector = createGramCollector()
      collector.addPlain(earlier)
      assertSame(later, collector.finish())
    }),
    { numRuns: 100 },
  )
})

/** Different letters, so that nothing that is missed has been marked elsewhere. */
function longText(length: number, seed: number) {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = 0x20 + ((state >>> 16) % 0x5f)
  }
  return bytes.toString('latin1')
}

test('a text is marked at every place of its column, over all pieces of a large one', () => {
  const address = ' 45.77.13.201 '
  for (let before = 0; before < 70; before++) {
    const texts = ['x'.repeat(before), address, 'y']
    assertSame([{ column: packed(texts), from: 0, to: 3, kind: 'text' }])
  }
  const large = [
    longText(700_000, 1),
    address,
    longText(400_000, 2),
    longText(3_000_000, 3),
    address,
  ]
  assertSame([{ column: packed(large), from: 0, to: large.length, kind: 'text' }])
  assertSame([{ column: packed(['small']), from: 0, to: 1, kind: 'text' }])
})
