import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachOf, slices } from './plan.ts'
import { emptySegment, type Segment } from './segments.ts'

const partition = { name: '2026-11-15-001', alias: 'p', dayStart: 0 }

const segments = (count: number): Segment[] =>
  Array.from({ length: count }, (_, seg) => ({
    ...emptySegment(seg, partition, seg),
    ...{ events: 100, minAt: seg * 1_000, maxAt: seg * 1_000 + 999 },
  }))

/** How many segments each slice has, when reading one takes so long. */
function sizes(count: number, first: number, msEach: number) {
  const taken = { lastMs: 0, allMs: 0 }
  const found: number[] = []
  for (const slice of slices(segments(count), 'desc', first, taken)) {
    found.push(slice.length)
    taken.lastMs = slice.length * msEach
  }
  return found
}

test('slices grow while they are quick, and have all segments once', () => {
  const found = sizes(2_000, 16, 0.1)
  assert.deepEqual(found.slice(0, 3), [16, 64, 256])
  assert.equal(
    found.reduce((sum, one) => sum + one, 0),
    2_000,
  )
})

test('slices of what is slow to read become smaller, down to a few segments', () => {
  const found = sizes(300, 16, 10)
  assert.deepEqual(found.slice(0, 4), [16, 4, 4, 4])
  assert.deepEqual(sizes(60, 16, 1_000).slice(0, 3), [16, 2, 2])
})

test('a list begins with one segment', () => {
  assert.deepEqual(sizes(3, 1, 1_000), [1, 1, 1])
})

test('two slices are read at once, and nothing more after an error or when one was the last', async () => {
  const read: number[] = []
  const all = () => slices(segments(10), 'asc', 1, undefined)
  await eachOf(all(), async ([one]) => {
    read.push(one?.seg ?? -1)
    await null
    return one?.seg !== 3
  })
  assert.deepEqual(read.toSorted(), [0, 1, 2, 3, 4].slice(0, read.length))
  assert(read.includes(3) && read.length <= 5)
  let begun = 0
  await assert.rejects(
    eachOf(all(), async () => {
      begun += 1
      throw new Error('cannot be read')
    }),
    /cannot be read/,
  )
  assert(begun <= 2)
})
