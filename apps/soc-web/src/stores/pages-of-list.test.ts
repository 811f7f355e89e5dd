import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPages, eachOnce } from './pages-of-list.ts'

const keyOf = (id: string) => id

/** A list in pages of two, and what was asked of it. */
function list(all: string[]) {
  const asked: string[] = []
  const pageAt = (from: number) => ({
    items: all.slice(from, from + 2),
    next_cursor: from + 2 < all.length ? `${from + 2}` : null,
  })
  const load = async (cursor: string) => {
    asked.push(cursor)
    return pageAt(Number(cursor))
  }
  return { asked, first: pageAt(0), load }
}

test('all pages that were shown are read anew, on to the row that was last in sight', async () => {
  const before = [...'ad'].map((id) => ({ items: [id], next_cursor: id }))
  const readAnew = async (all: string[]) => {
    const { first, load, asked } = list(all)
    const pages = await allPages(first, before, load, keyOf)
    return [pages.flatMap(({ items }) => items).join(''), asked.length]
  }
  assert.deepEqual(await readAnew([...'abcdef']), ['abcd', 1])
  // Pushed down by one, and by two; gone for good; no further page.
  assert.deepEqual(await readAnew([...'nabcdef']), ['nabcd', 2])
  assert.deepEqual(await readAnew([...'mnabcdef']), ['mnabcd', 2])
  assert.deepEqual(await readAnew([...'abcef']), ['abcef', 2])
  assert.deepEqual(await readAnew([...'ab']), ['ab', 0])
})

test('what was cut off a page that new rows pushed comes when more are asked for', async () => {
  const before = [...'ad'].map((id) => ({ items: [id], next_cursor: id }))
  const { first, load } = list([...'nabcdefg'])
  const pages = await allPages(first, before, load, keyOf)
  const more = await load(pages.at(-1)?.next_cursor ?? '')
  const shown = [...pages, more].flatMap(({ items }) => items)
  assert.equal(eachOnce(shown, keyOf).join(''), 'nabcde')
})

test('a row that is on two pages is shown once, where it came first', () => {
  assert.deepEqual(eachOnce(['c', 'b', 'a', 'b', 'z'], keyOf), ['c', 'b', 'a', 'z'])
})
