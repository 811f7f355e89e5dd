import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Snapshot } from '@manara/player-contract/events'
import { signal } from '@preact/signals'
import { createBox } from './box.ts'
import { followDay } from './follow-day.ts'
import { createKeepAsking } from './keep-asking.ts'

const prayerOf = (date: string) => ({ valid: true, date }) as Snapshot['prayer']

test('at midnight a page that stays open asks for the new day, until the box has it too', async () => {
  const box = createBox(() => 0)
  box.lay({ prayer: prayerOf('2026-03-01') })
  const today = signal('2026-03-01')
  const isStale = signal(true)
  const answers = ['2026-03-01', '2026-03-02']
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const stop = followDay({
    ...{ box, today, isStale },
    keepAsking: createKeepAsking((_, then) => {
      waiting.push(then)
      return () => {}
    }),
    api: {
      get: async (path: string) => {
        asked.push(path)
        return prayerOf(answers.shift() ?? '') as never
      },
    },
  })
  isStale.value = false
  await setImmediate()
  assert.deepEqual(asked, [], 'nothing is new')
  today.value = '2026-03-02'
  await setImmediate()
  waiting.shift()?.()
  await setImmediate()
  assert.deepEqual(asked, ['/prayer', '/prayer'])
  assert.deepEqual(box.prayer.value, prayerOf('2026-03-02'))
  assert.ok(box.hifzChanged.value > 0, 'what is due today is another')
  assert.equal(waiting.length, 0)
  stop()
})
