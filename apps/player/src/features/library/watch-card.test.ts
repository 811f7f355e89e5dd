import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createCard } from '../../adapters/card-library.ts'
import type { CardIdentity } from '../../ports/card.ts'
import type { CardEvent } from './domain/card-events.ts'
import { manualTimer } from './testing/manual-timer.ts'
import { tempCard } from './testing/temp-card.ts'
import { watchCard } from './watch-card.ts'

const inSlot = { volume: '8:1', mtime_ms: 1 }

function setup(t: TestContext, { canFollow = true } = {}) {
  let identity: CardIdentity | undefined
  let hint = () => {}
  let isClosed = false
  const clock = manualTimer()
  const events: CardEvent[] = []
  const watch = watchCard({
    card: {
      ...createCard('/nowhere'),
      identity: async () => identity,
      watchFolders: (onHint) => {
        hint = onHint
        return {
          follow: () => canFollow,
          close: () => {
            isClosed = true
          },
        }
      },
    },
    onEvent: (event) => events.push(event),
    timer: clock.timer,
  })
  t.after(() => watch.stop())
  return {
    watch,
    events,
    clock,
    hint: () => hint(),
    isClosed: () => isClosed,
    insert: (card: CardIdentity) => {
      identity = card
    },
    remove: () => {
      identity = undefined
    },
  }
}

test('a slot without a card is no event and no error', async (t) => {
  const { watch, events } = setup(t)
  await watch.check()
  assert.deepEqual(events, [])
})

test('a card is reported when it comes, changes and goes, each once', async (t) => {
  const { watch, events, insert, remove } = setup(t)
  insert(inSlot)
  await Promise.all([watch.check(), watch.check()])
  insert({ ...inSlot, mtime_ms: 2 })
  await watch.check()
  remove()
  await watch.check()
  await watch.check()
  assert.deepEqual(events, ['inserted', 'changed', 'removed'])
})

test('every five seconds the slot is looked at', async (t) => {
  const { events, clock, insert } = setup(t)
  assert.deepEqual(clock.waits(), [5_000])
  insert(inSlot)
  await clock.fire(5_000)
  assert.deepEqual(events, ['inserted'])
})

test('the hints of a third of a second are one change', async (t) => {
  const { watch, events, clock, hint, insert } = setup(t)
  insert(inSlot)
  await watch.check()
  for (let file = 0; file < 114; file += 1) hint()
  assert.deepEqual(clock.waits(), [5_000, 300])
  await clock.fire(300)
  assert.deepEqual(events, ['inserted', 'changed'])
})

test('where folders cannot be followed every poll is a change', async (t) => {
  const { watch, events, clock, insert } = setup(t, { canFollow: false })
  insert(inSlot)
  await watch.check()
  watch.follow([{ path: '.', inode: '8:1' }])
  await clock.fire(5_000)
  assert.deepEqual(events, ['inserted', 'changed'])
})

test('a stopped watch waits for nothing and tells nothing', async (t) => {
  const { watch, events, clock, hint, insert, isClosed } = setup(t)
  hint()
  insert(inSlot)
  const looking = watch.check()
  watch.stop()
  await looking
  assert.deepEqual(events, [])
  assert.deepEqual(clock.waits(), [])
  assert.equal(isClosed(), true)
})

test('a file that comes into a followed folder is heard from the file system itself', async (t) => {
  const { mount, put } = tempCard(t, 'Hafs/Husary/001.mp3')
  let heard = Promise.withResolvers<void>()
  const watch = watchCard({
    card: createCard(mount),
    onEvent: (event) => event === 'changed' && heard.resolve(),
    timer: (run, ms) => {
      // The poll never comes: what is heard is heard by the watch.
      if (ms === 300) setImmediate(run)
      return () => {}
    },
  })
  // A watch does not keep the process waiting; this does, and fails the test when nothing is heard.
  const deaf = setTimeout(() => heard.reject(new Error('nothing was heard')), 120_000)
  t.after(() => {
    clearTimeout(deaf)
    watch.stop()
  })
  await watch.check()
  watch.follow([{ path: 'Hafs/Husary', inode: '1' }])
  await heard.promise
  heard = Promise.withResolvers()
  put('Hafs/Husary/002.mp3')
  await heard.promise
})
