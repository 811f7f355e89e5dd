import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BootFailure } from '@manara/player-contract/system'
import type { AudioOutput } from '../../ports/audio-output.ts'
import type { Card } from '../../ports/card.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const MINUTE = 60_000
const MAKKAH = 'Adhan/makkah.mp3'
const DUA = 'Adhan/dua.mp3'
// In Cairo, on a clock that shows UTC.
const DHUHR = Date.parse('2025-09-12T09:51:00Z')

const neverRead = () => Promise.reject(new Error('the card is dead'))

/** A box a minute before Dhuhr, with a card that can die. */
async function boxBeforeDhuhr(t: TestContext) {
  const clock = createManualClock(DHUHR - MINUTE)
  let isDead = false
  let hung = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const unlessDead =
    <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    (...args: Args): Promise<Value> => {
      if (!isDead) return call(...args)
      hung.resolve()
      return answered.promise.then(() => call(...args))
    }
  const dying = { resolveFile: true, read: true }
  const box = await playerFixture(t, {
    files: [MAKKAH, DUA, 'Husary/001.mp3', 'Husary/002.mp3'],
    clock,
    spoil: {
      card: (card: Card) => ({
        ...card,
        resolveFile: (path) =>
          dying.resolveFile ? unlessDead(card.resolveFile)(path) : card.resolveFile(path),
        openFile: async (path) =>
          isDead ? { read: unlessDead(neverRead), close: async () => {} } : card.openFile(path),
      }),
      audio: (output: AudioOutput) => ({
        ...output,
        load: (source, options) =>
          source.kind === 'file' && source.path.includes('Husary')
            ? unlessDead(output.load)(source, options)
            : output.load(source, options),
      }),
    },
  })
  const adhan = { enabled: true, prayer_mask: 61, volume: 80, path: MAKKAH, dua_path: DUA }
  const place = { lat: 30.0312784, lng: 31.2125945, method: 2 }
  assert.equal((await box.post('/prayer/config', { ...place, adhan })).statusCode, 200)
  return {
    ...box,
    dying,
    /** What is asked of it from now on is never answered; resolves when something was. */
    die() {
      isDead = true
      hung = Promise.withResolvers<void>()
      return () => hung.promise
    },
    live() {
      isDead = false
    },
    /** What it was asked for while it was dead comes after all, or not. */
    ...{ answer: answered.resolve, refuse: answered.reject },
    status: async () => (await box.get('/playback/status')).json(),
  }
}

for (const part of ['resolveFile', 'read'] as const) {
  test(`where the card never answers to ${part}, the chime calls ten seconds after the minute`, async (t) => {
    const box = await boxBeforeDhuhr(t)
    box.dying.resolveFile = part === 'resolveFile'
    const asked = box.die()
    const called = box.next('adhan')
    box.clock.advance(MINUTE)
    await asked()
    assert.equal(box.box.player.status().adhan, undefined)
    box.clock.advance(10_000)
    await called
    await box.settled()
    const { track, adhan } = await box.status()
    assert.deepEqual([track, adhan], ['chime', 'dhuhr'])
    const { boot_failures } = (await box.get('/system')).json()
    const failure = boot_failures.find(({ component }: BootFailure) => component === 'adhan')
    assert.match(failure.error, /^Adhan\/makkah\.mp3: the card does not answer/)
  })
}

/** The chime calls, and the card with its dua does not answer. */
async function calledWithoutDua(t: TestContext) {
  const box = await boxBeforeDhuhr(t)
  await box.post('/prayer/config', { adhan: { path: '' } })
  const asked = box.die()
  const called = box.next('adhan')
  box.clock.advance(MINUTE)
  await asked()
  await called
  const { track, adhan } = await box.status()
  assert.deepEqual([track, adhan], ['chime', 'dhuhr'])
  return {
    ...box,
    async end() {
      box.audio.end()
      await box.settled()
      await box.settled()
    },
  }
}

test('a dua on a card that never answers does not keep the adhan, and its owner is told', async (t) => {
  const box = await calledWithoutDua(t)
  box.clock.advance(10_000)
  await box.settled()
  const { boot_failures } = (await box.get('/system')).json()
  const [{ component, error }, ...others] = boot_failures
  assert.deepEqual([component, others], ['dua', []])
  assert.match(error, /^Adhan\/dua\.mp3: the card does not answer.*; no dua follows the adhan$/)
  await box.end()
  assert.equal((await box.status()).state, 'stopped')
})

test('a dua whose card answers while the adhan sounds follows it', async (t) => {
  const box = await calledWithoutDua(t)
  box.clock.advance(5_000)
  box.live()
  box.answer()
  await box.settled()
  await box.end()
  const { track, announcement } = await box.status()
  assert.deepEqual([track, announcement], [DUA, 'dua'])
})

test('a dua that is found after the adhan is left out', async (t) => {
  const box = await calledWithoutDua(t)
  const over = box.next('adhan')
  box.audio.end()
  await over
  box.live()
  box.answer()
  await box.settled()
  const { state, announcement } = await box.status()
  assert.deepEqual([state, announcement], ['stopped', undefined])
})

/** Of its card only the recitations die, and the chime calls: no file is to be looked for. */
async function boxWithChime(t: TestContext) {
  const box = await boxBeforeDhuhr(t)
  box.dying.resolveFile = false
  await box.post('/prayer/config', { adhan: { path: '', dua_path: '' } })
  return {
    ...box,
    /** The minute comes while what was `asked` of the card hangs: the call is in the queue behind it. */
    async comeToDhuhr(asked: () => Promise<void>) {
      await asked()
      box.live()
      const called = box.next('adhan')
      box.clock.advance(MINUTE)
      await new Promise(setImmediate)
      return { called }
    },
  }
}

test('what somebody plays from a card that does not answer gives way to the adhan', async (t) => {
  const box = await boxWithChime(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  box.audio.playTo(7_000)
  const asked = box.die()
  const playing = box.post('/playback/play', { path: 'Husary/002.mp3' })
  const { called } = await box.comeToDhuhr(asked)
  box.clock.advance(3_000)
  await called
  assert.equal((await box.status()).track, 'chime')
  const reply = await playing
  assert.equal(reply.statusCode, 503)
  assert.match(reply.json().error, /^the call to prayer comes first/)
  box.audio.end()
  await box.settled()
  await box.settled()
  const { state, surah_number, position } = await box.status()
  assert.deepEqual([state, surah_number, position], ['playing', 1, 7_000])
})

test('what would follow by itself from such a card does as well', async (t) => {
  const box = await boxWithChime(t)
  await box.post('/playback/mode', { mode: 'continuous' })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  const asked = box.die()
  box.audio.end()
  const { called } = await box.comeToDhuhr(asked)
  box.clock.advance(3_000)
  await called
  assert.equal((await box.status()).track, 'chime')
  box.audio.end()
  await box.settled()
  await box.settled()
  const { state, surah_number } = await box.status()
  assert.deepEqual([state, surah_number], ['playing', 2])
})

test('a reminder waits for what somebody plays from a slow card', async (t) => {
  const box = await boxBeforeDhuhr(t)
  box.dying.resolveFile = false
  const asked = box.die()
  const playing = box.post('/playback/play', { path: 'Husary/002.mp3' })
  await asked()
  box.live()
  const files = [{ path: MAKKAH, file: `${box.cardDir}/${MAKKAH}` }]
  const reminded = box.box.player.announce({ kind: 'reminder', prayer: 'dhuhr', volume: 0, files })
  box.clock.advance(5_000)
  box.answer()
  assert.equal((await playing).statusCode, 200)
  await reminded
  box.audio.end()
  await box.settled()
  assert.equal((await box.status()).surah_number, 2)
})

test('what an engine says that has died of a file is not taken for the end of the adhan', async (t) => {
  const box = await boxWithChime(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  const asked = box.die()
  const playing = box.post('/playback/play', { path: 'Husary/002.mp3' })
  const { called } = await box.comeToDhuhr(asked)
  box.refuse(new Error('the audio worker failed: it did not answer'))
  box.audio.end('lost', 'the audio worker failed: it did not answer')
  assert.equal((await playing).statusCode, 400)
  await called
  await box.settled()
  assert.equal((await box.status()).adhan, 'dhuhr')
})
