import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from '@manara/player-contract/events'
import type { PrayerConfigBody } from '@manara/player-contract/prayer-config'
import { Refused } from './api.ts'
import { createAttempt } from './attempt.ts'
import { createBox } from './box.ts'
import { createPrayerSettings } from './prayer-settings.ts'

const CONFIG = {
  offsets_min: [0, 0, 0, 0, 0, 0],
  adhan: { enabled: true, prayer_mask: 0, prayers: { fajr: { path: null, volume: 5 } } },
}

/** A box that answers when the test lets it. */
function fixture() {
  const box = createBox(() => 0)
  const prayer = { valid: false, config: CONFIG }
  box.hear({
    event: 'snapshot',
    data: { settings: { time: 0 }, prayer } as unknown as Snapshot,
  })
  const sent: { body: PrayerConfigBody; answer: PromiseWithResolvers<object> }[] = []
  const said: string[] = []
  const settings = createPrayerSettings({
    box,
    api: {
      post: (_path: string, body?: object) => {
        const answer = Promise.withResolvers<object>()
        sent.push({ body: body as PrayerConfigBody, answer })
        return answer.promise as never
      },
    },
    attempt: createAttempt({ why: String, problem: (text) => said.push(text) }),
  })
  const mask = () => settings.config.value?.adhan.prayer_mask
  /** As the bell beside a prayer does it. */
  const ring = (bit: number) => settings.set({ adhan: { prayer_mask: (mask() ?? 0) | bit } })
  const answer = (prayer_mask: number) => ({
    success: true,
    valid: false,
    config: { ...CONFIG, adhan: { ...CONFIG.adhan, prayer_mask } },
  })
  return { box, settings, sent, said, mask, ring, answer }
}

test('taps that are faster than the box all count', async () => {
  const { settings, sent, mask, ring, answer } = fixture()
  const done = [ring(1), ring(4), ring(8)]
  assert.equal(mask(), 13)
  await Promise.resolve()
  assert.equal(sent.length, 1, 'one after the other')
  sent[0]?.answer.resolve(answer(1))
  await done[0]
  assert.equal(mask(), 13, 'what the box has heard so far takes nothing back')
  sent[1]?.answer.resolve(answer(5))
  await done[1]
  sent[2]?.answer.resolve(answer(13))
  await done[2]
  assert.deepEqual(
    sent.map(({ body }) => body.adhan?.prayer_mask),
    [1, 5, 13],
  )
  assert.equal(settings.config.value?.adhan.enabled, true)
})

test('what the box refuses is taken back and told, and what comes after it still goes', async () => {
  const { settings, sent, said, answer } = fixture()
  const refused = settings.set({ offsets_min: [9, 0, 0, 0, 0, 0] })
  const taken = settings.set({ adhan: { prayers: { fajr: { path: 'a.mp3' } } } })
  assert.deepEqual(settings.config.value?.adhan.prayers.fajr, { path: 'a.mp3', volume: 5 })
  await Promise.resolve()
  sent[0]?.answer.reject(new Refused(400, 'offsets_min: no'))
  assert.equal(await refused, false)
  assert.deepEqual(settings.config.value?.offsets_min, CONFIG.offsets_min)
  assert.deepEqual(said, ['Error: offsets_min: no'])
  sent[1]?.answer.resolve(answer(0))
  assert.equal(await taken, true)
})
