import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import { loadImage } from '@napi-rs/canvas'
import type { Frame, Panel, Scene } from '../../ports/screen.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture, TOKEN } from '../../testing/player-fixture.ts'
import { keepScreen } from './keep-screen.ts'
import { AL_BAQARAH, factsOf } from './testing/facts.ts'

const MECCA = { lat: 21.4225, lng: 39.8262, method: 3 }

/** A panel that keeps the pictures it was given. */
function createFakePanel() {
  const shown: Buffer[] = []
  const state = { isClosed: false, isBroken: false }
  const panel: Panel = {
    name: 'fake',
    scale: 1,
    async show({ rgba }: Frame) {
      if (state.isBroken) throw new Error('EIO: the cable is loose')
      shown.push(Buffer.from(rgba))
    },
    async close() {
      state.isClosed = true
    },
  }
  return { panel, shown, state }
}

async function screenshotOf({ app }: Awaited<ReturnType<typeof playerFixture>>) {
  const headers = { authorization: `Bearer ${TOKEN}` }
  return app.inject({ method: 'GET', url: '/api/debug/screenshot', headers })
}

test('GET /debug/screenshot without the token is 401', async (t) => {
  const { get } = await playerFixture(t)
  const reply = await get('/debug/screenshot')
  assert.equal(reply.statusCode, 401)
  assert.deepEqual(Object.keys(reply.json()), ['error'])
})

test('GET /debug/screenshot is a 24-bit BMP of 320 × 240 that a decoder opens', async (t) => {
  const reply = await screenshotOf(await playerFixture(t))
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.headers['content-type'], 'image/bmp')
  const file = reply.rawPayload
  assert.equal(file.toString('latin1', 0, 2), 'BM')
  assert.equal(file.readUInt32LE(2), file.length)
  assert.deepEqual(
    [file.readInt32LE(18), file.readInt32LE(22), file.readUInt16LE(28)],
    [320, 240, 24],
  )
  assert.equal(file.length, 54 + 320 * 240 * 3)
  // The ground of the first pixel, which lies in the last row of the file.
  assert.deepEqual([...file.subarray(54 + 239 * 960, 54 + 239 * 960 + 3)], [0x0f, 0x18, 0x06])
  const { width, height } = await loadImage(file)
  assert.deepEqual([width, height], [320, 240])
})

test('GET /debug/screenshot: the eleventh in ten seconds is 429', async (t) => {
  const fixture = await playerFixture(t)
  const replies = []
  for (let count = 0; count < 11; count += 1) replies.push(await screenshotOf(fixture))
  assert.deepEqual(
    replies.map(({ statusCode }) => statusCode),
    [...Array(10).fill(200), 429],
  )
  assert.match(replies[10]?.headers['retry-after'] ?? '', /^\d+$/)
})

test('GET /debug/screenshot is the live screen, the same as on the panel', async (t) => {
  const { panel, shown } = createFakePanel()
  const fixture = await playerFixture(t, { panel })
  const idle = (await screenshotOf(fixture)).rawPayload
  await fixture.post('/playback/play', { path: 'Husary/002.mp3' })
  await fixture.settled()
  const playing = (await screenshotOf(fixture)).rawPayload
  assert.notDeepEqual(playing, idle)
  const onPanel = shown.at(-1) ?? Buffer.alloc(0)
  for (const [x, y] of [
    [160, 70],
    [40, 167],
    [20, 20],
    [300, 190],
  ] as const) {
    const [at, there] = [54 + ((239 - y) * 320 + x) * 3, (y * 320 + x) * 4]
    const colour = [playing[at + 2], playing[at + 1], playing[at]]
    assert.deepEqual(colour, [...onPanel.subarray(there, there + 3)], `${x},${y}`)
  }
})

test('POST /settings/time-format and /settings/language reach the screen at once', async (t) => {
  const { panel, shown } = createFakePanel()
  const { post, settled } = await playerFixture(t, { panel })
  await settled()
  for (const [path, body] of [
    ['time-format', { time_format_24h: true }],
    ['language', { language: 'ar' }],
  ] as const) {
    const before = shown.length
    await post(`/settings/${path}`, body)
    await settled()
    assert.equal(shown.length, before + 1, path)
  }
})

test('an idle screen is drawn once a minute, a playing one once a second', async (t) => {
  const { panel, shown } = createFakePanel()
  const fixture = await playerFixture(t, { panel })
  const { audio, clock, post, settled } = fixture
  await post('/prayer/config', MECCA)
  await settled()
  const seconds = async (count: number, eachSecond = (_: number) => {}) => {
    const before = shown.length
    for (let second = 1; second <= count; second += 1) {
      eachSecond(second)
      clock.advance(1_000)
      await settled()
    }
    return shown.length - before
  }
  assert.equal(await seconds(120), 2)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  await settled()
  assert.equal(await seconds(10, (second) => audio.playTo(second * 1_000)), 10)
  await post('/playback/pause')
  await settled()
  assert.ok((await seconds(59)) <= 1, 'a pause stands still but for the clock')
})

test('the silence between repetitions keeps the screen and counts down on it', async (t) => {
  const { panel, shown } = createFakePanel()
  const { audio, box, clock, post, settled } = await playerFixture(t, { panel })
  await post('/playback/mode', { mode: 'hifz_repeat', repeat: 3, pause_s: 5 })
  await post('/playback/play', { path: 'Husary/002.mp3' })
  audio.end()
  await settled()
  assert.equal(box.player.gapLeft(), 5_000)
  const before = shown.length
  clock.advance(1_000)
  await settled()
  clock.advance(1_000)
  await settled()
  assert.equal(box.player.gapLeft(), 3_000)
  assert.equal(shown.length, before + 2)
  await post('/playback/pause')
  clock.advance(60_000)
  assert.equal(box.player.gapLeft(), 3_000, 'a pause freezes it')
  await post('/playback/resume')
  clock.advance(3_000)
  await settled()
  assert.equal(box.player.gapLeft(), 0)
  assert.equal(audio.loaded.length, 2)
})

test('a panel that fails is told among the failures of the box and drawn anew when it is back', async (t) => {
  const { panel, shown, state } = createFakePanel()
  const { clock, get, post, settled } = await playerFixture(t, { panel })
  const failures = async () => (await get('/system')).json().boot_failures
  state.isBroken = true
  await post('/playback/play', { path: 'Husary/001.mp3' })
  await settled()
  assert.deepEqual(await failures(), [{ component: 'screen', error: 'EIO: the cable is loose' }])
  const before = shown.length
  state.isBroken = false
  clock.advance(1_000)
  await settled()
  assert.deepEqual(await failures(), [])
  assert.equal(shown.length, before + 1)
})

test('GET /system names the panel', async (t) => {
  const { panel } = createFakePanel()
  const withPanel = await playerFixture(t, { panel })
  assert.equal((await withPanel.get('/system')).json().screen, 'fake')
  const without = await playerFixture(t)
  assert.equal((await without.get('/system')).json().screen, '')
})

test('the panel goes dark when the service stops', async (t) => {
  const { panel, state } = createFakePanel()
  const { close } = await playerFixture(t, { panel })
  await close()
  assert.equal(state.isClosed, true)
})

/** The screen alone, with a painter that notes what it is asked for. */
function createKeeper(facts = factsOf(), panel?: Panel) {
  const clock = createManualClock()
  const painted: Scene[] = []
  const opened = { times: 0 }
  const events = createEventBus<PlayerEvents>((error) => {
    throw error
  })
  const screen = keepScreen({
    ...{ clock, events, panel },
    facts: () => facts,
    log: { warn() {} },
    reportProblem: () => {},
    async openPainter() {
      opened.times += 1
      return {
        paint(scene) {
          painted.push(scene)
          return { width: 1, height: 1, rgba: new Uint8Array(4) }
        },
      }
    },
  })
  return { clock, events, facts, opened, painted, screen }
}

test('without a panel the drawing engine is not loaded until a screenshot is asked for', async () => {
  const { clock, events, facts, opened, screen } = createKeeper()
  screen.start()
  events.emit('playback', { ...facts.playback, ...AL_BAQARAH })
  clock.advance(60_000)
  await screen.settled()
  assert.equal(opened.times, 0)
  await screen.screenshot()
  assert.equal(opened.times, 1)
  await screen.stop()
})

test('an error has the screen for a minute, and again when it comes again', async () => {
  const facts = factsOf({ error: 'the card was removed' })
  const { clock, events, painted, screen } = createKeeper(facts)
  screen.start()
  const shownNow = async () => {
    await screen.screenshot()
    return painted.at(-1)?.screen
  }
  events.emit('playback', facts.playback)
  clock.advance(59_999)
  assert.equal(await shownNow(), 'error')
  clock.advance(1)
  assert.equal(await shownNow(), 'idle')
  events.emit('playback', facts.playback)
  assert.equal(await shownNow(), 'error')
  await screen.stop()
})

test('what stopped playback is shown also where an update failed weeks ago', async () => {
  const update = {
    ...factsOf().update,
    status: 'rolled_back' as const,
    error: '1.4.0 was rolled back',
  }
  const facts = factsOf({}, { update })
  const { clock, events, painted, screen } = createKeeper(facts)
  screen.start()
  const shownNow = async () => {
    await screen.screenshot()
    const { screen: name, message, notice } = painted.at(-1) as Record<string, unknown>
    return [name, message ?? notice]
  }
  assert.deepEqual(await shownNow(), ['error', '1.4.0 was rolled back'])
  clock.advance(60_000)
  assert.deepEqual(await shownNow(), ['idle', 'The update failed: 1.4.0 was rolled back'])
  facts.playback.error = 'the station answered 404'
  events.emit('playback', facts.playback)
  assert.deepEqual(await shownNow(), ['error', 'The station answered 404'])
  clock.advance(60_000)
  assert.deepEqual(await shownNow(), ['idle', 'Playback stopped: the station answered 404'])
  delete facts.playback.error
  assert.deepEqual(await shownNow(), ['idle', 'The update failed: 1.4.0 was rolled back'])
  await screen.stop()
})

test('what happens while a picture is being shown is shown after it, once', async () => {
  const { promise: written, resolve: finish } = Promise.withResolvers<void>()
  let pictures = 0
  const panel: Panel = {
    ...createFakePanel().panel,
    show() {
      pictures += 1
      return pictures === 1 ? written : Promise.resolve()
    },
  }
  const { events, facts, painted, screen } = createKeeper(factsOf(), panel)
  screen.start()
  for (const volume of [10, 20, 30]) {
    Object.assign(facts.playback, AL_BAQARAH, { volume })
    events.emit('volume', { volume })
  }
  finish()
  await screen.settled()
  assert.deepEqual(
    painted.map((scene) => (scene.screen === 'now-playing' ? scene.aside : scene.screen)),
    ['idle', 'Volume 30'],
  )
  await screen.stop()
})

test('a machine without the drawing engine answers a screenshot with the reason', async () => {
  const clock = createManualClock()
  const events = createEventBus<PlayerEvents>(() => {})
  const screen = keepScreen({
    ...{ clock, events, panel: undefined },
    facts: () => factsOf(),
    log: { warn() {} },
    reportProblem: () => {},
    openPainter: () => Promise.reject(new Error('no such library')),
  })
  await assert.rejects(screen.screenshot(), {
    name: 'AppError',
    status: 500,
    message: 'the screen cannot be drawn here: no such library',
  })
})
