import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Span, see } from './term-spans.ts'

const LOOK_BACK = 10

type Event = { at: number; id: string }

const event = fc.record({ at: fc.integer({ min: 0, max: 100 }), id: fc.uuid() })
const events = fc.uniqueArray(event, { selector: ({ id }) => id, maxLength: 30 })

function newOf(inOrder: Event[]): string[] {
  return inOrder
    .filter(({ at }, place) => {
      const before = inOrder[place - 1]
      return !before || at - before.at > LOOK_BACK
    })
    .map(({ id }) => id)
}

const inTime = (a: Event, b: Event) => a.at - b.at || (a.id < b.id ? -1 : 1)

test('what is new does not depend on the order in which events come', () => {
  fc.assert(
    fc.property(events, (arriving) => {
      const spans: Span[] = []
      const claimed = new Set<string>()
      for (const one of arriving) {
        const { isNew, replaced } = see(spans, one, LOOK_BACK)
        if (replaced !== null) claimed.delete(replaced)
        if (isNew) claimed.add(one.id)
      }
      const expected = newOf(arriving.toSorted(inTime))
      assert.deepEqual([...claimed].sort(), expected.toSorted())
      const before = structuredClone(spans)
      const again = arriving.filter((one) => see(spans, one, LOOK_BACK).isNew)
      assert.deepEqual(again.map(({ id }) => id).sort(), expected.toSorted())
      assert.deepEqual(spans, before, 'looking again changes nothing')
    }),
  )
})

test('what was there before the rule is in no event’s place', () => {
  const spans: Span[] = [{ logId: null, firstAt: -Infinity, lastAt: 50 }]
  assert.deepEqual(see(spans, { at: 20, id: 'late' }, LOOK_BACK), { isNew: false, replaced: null })
  assert.deepEqual(see(spans, { at: 60, id: 'soon' }, LOOK_BACK), { isNew: false, replaced: null })
  assert.deepEqual(see(spans, { at: 71, id: 'new' }, LOOK_BACK), { isNew: true, replaced: null })
  // It joins both: nothing was new.
  assert.deepEqual(see(spans, { at: 65, id: 'between' }, LOOK_BACK), {
    isNew: false,
    replaced: 'new',
  })
  assert.deepEqual(spans, [{ logId: null, firstAt: -Infinity, lastAt: 71 }])
})
