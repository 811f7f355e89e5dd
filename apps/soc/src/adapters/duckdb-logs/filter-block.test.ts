import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addLane,
  type BlockLayout,
  lanesFor,
  layoutOf,
  MOST_LANES,
  PAGE_BYTES,
  pageCount,
} from './filter-block.ts'
import {
  createGramCollector,
  type GramFilter,
  mayContain,
  prepareFilterQuery,
} from './gram-filter.ts'

const wants = (text: string) =>
  prepareFilterQuery([[{ text, isStart: true, isEnd: true, field: undefined }]])

function filterOf(texts: string[]): GramFilter {
  const collector = createGramCollector()
  for (const text of texts) collector.addText(text)
  return collector.finish()
}

function blockOf(layout: BlockLayout, filters: GramFilter[]) {
  const pages = new Uint8Array(pageCount(layout) * PAGE_BYTES)
  for (const [lane, filter] of filters.entries()) addLane(pages, layout, lane, filter)
  return pages
}

/** For each lane whether it may hold the text. */
function told(layout: BlockLayout, pages: Uint8Array, text: string): boolean[] {
  const found = lanesFor(layout, wants(text), (page) =>
    pages.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES),
  )
  return Array.from({ length: layout.lanes }, (_, lane) => {
    return (((found?.[lane >>> 3] ?? 0) >>> (lane & 7)) & 1) === 1
  })
}

const anyText = fc.string({ unit: fc.constantFrom(...'abc01.: '), minLength: 3, maxLength: 20 })

test('a block of filters says of each what it says itself, also in the layout of before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyText, { maxLength: 4 }), { minLength: 1, maxLength: MOST_LANES }),
      anyText,
      (texts, other) => {
        const filters = texts.map(filterOf)
        const { rowBits, ...before } = layoutOf(filters)
        const asked = [other, ...texts.flat().slice(0, 5)]
        for (const layout of [{ ...before, rowBits: rowBits as number }, before]) {
          const pages = blockOf(layout, filters)
          for (const text of asked) {
            const expected = filters.map((filter) => mayContain(filter, wants(text)))
            assert.deepEqual(told(layout, pages, text), expected)
          }
        }
      },
    ),
    { numRuns: 20 },
  )
})

test('a few segments take no more room than their filters', () => {
  const filters = Array.from({ length: 5 }, (_, at) => filterOf([`event number ${at}`]))
  const { rowBits, ...before } = layoutOf(filters)
  assert.equal(rowBits, 5)
  assert(pageCount({ ...before, rowBits: 5 }) <= Math.ceil((pageCount(before) * 5) / 8) + 1)
})
