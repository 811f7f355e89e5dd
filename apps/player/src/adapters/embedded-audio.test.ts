import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { busyFor } from '@manara/kit/testing/busy'
import { serve } from '../testing/local-server.ts'
import { audioDeviceContract } from './audio-device.contract.ts'
import { audioContract } from './audio-output.contract.ts'
import { createEmbeddedAudio, type EmbeddedOptions } from './embedded-audio.ts'
import { bestLag, type Captured, likeness, peak, readCapture } from './testing/captured.ts'
import { openEmbeddedDevice } from './testing/devices.ts'
import { mediaPath, sweepWav, type WavCoding } from './testing/media.ts'
import { numberedWav, readNumbered } from './testing/numbered.ts'
import { startRadio } from './testing/radio-server.ts'
import { atLeast, near, paceFrom, record, untilPosition } from './testing/recorder.ts'

const timings = { connect_ms: 2000, stall_ms: 2000, backoff_ms: [50, 100] }

audioContract('embedded', async () => createEmbeddedAudio({ sink: 'null', timings }))

async function folderFor(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'audio-'))
  context.after(() => rm(folder, { recursive: true }))
  return folder
}

async function openCapture(context: TestContext, options: Partial<EmbeddedOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'audio-'))
  const capture = join(folder, 'heard.raw')
  const output = createEmbeddedAudio({ sink: `capture:${capture}`, timings, ...options })
  context.after(async () => {
    await output.close()
    await rm(folder, { recursive: true })
  })
  return { output, recorder: record(output), heard: () => readCapture(capture) }
}

test('a station that drips after it was heard is connected anew, and plays on', async (context) => {
  const radio = await startRadio()
  context.after(() => radio.close())
  const { output, recorder } = await openCapture(context, {
    timings: { ...timings, undecoded_ms: 1000 },
  })
  await output.load({ kind: 'stream', url: radio.url })
  await recorder.untilState('playing')
  radio.drip()
  await recorder.untilState('buffering')
  // A busy machine runs dry of what had come before the drip, too.
  assert.ok((await atLeast(2, radio.connections)) >= 2)
  await recorder.untilState('playing')
})

const fixtures: [name: string, rate: number, channels: 1 | 2, likeness: number][] = [
  ['sweep-cbr-mono.mp3', 44_100, 1, 0.999],
  ['sweep-vbr-stereo.mp3', 44_100, 2, 0.999],
  ['sweep-id3.mp3', 44_100, 2, 0.999],
  ['sweep.wav', 22_050, 1, 0.999_999],
  ['sweep.flac', 32_000, 2, 0.999_999],
  ['sweep.ogg', 44_100, 2, 0.999],
  ['sweep.opus', 48_000, 2, 0.999],
]

/**
 * The captured sound is the sweep from `from` on: same samples, same channels, not one off. In the
 * middle of a sound it rises from silence for some milliseconds, so that it does not click.
 */
function assertSweep(heard: Captured, rate: number, from: number, channels: number, like: number) {
  const rise = from > 0 ? Math.ceil(rate * 0.02) : 0
  const likes = likeness(heard.left.subarray(rise), { rate, first: from + rise })
  assert.ok(likes >= like, `likeness ${likes}`)
  for (const at of [rise, Math.floor(heard.frames / 2), heard.frames - 2000])
    assert.equal(bestLag(heard.left.subarray(at, at + 2000), { rate, first: from + at }), 0)
  near(peak(heard.right) / peak(heard.left), channels === 1 ? 1 : 0.5, 0.03, 'right against left')
}

describe('embedded: every format from the first sample to the last', { concurrency: true }, () => {
  for (const [name, rate, channels, like] of fixtures)
    test(name, async (context) => {
      const { output, recorder, heard } = await openCapture(context)
      await output.load({ kind: 'file', path: mediaPath(name) })
      await recorder.untilType('ended')
      const captured = heard()
      assert.equal(captured.frames, rate * 3)
      assertSweep(captured, rate, 0, channels, like)
    })
})

describe('embedded: every format from a position, to the sample', { concurrency: true }, () => {
  for (const [name, rate, channels, like] of fixtures)
    test(name, async (context) => {
      const { output, recorder, heard } = await openCapture(context)
      await output.load({ kind: 'file', path: mediaPath(name) }, { paused: true })
      await output.seek(500)
      await output.seek(2345)
      await output.resume()
      await recorder.untilType('ended')
      const captured = heard()
      const first = Math.round(rate * 2.345)
      assert.equal(captured.frames, rate * 3 - first)
      assertSweep(captured, rate, first, channels, like)
    })
})

describe('embedded: every WAV coding', { concurrency: true }, () => {
  const codings: WavCoding[] = [
    { bits: 8 },
    { bits: 16 },
    { bits: 24 },
    { bits: 32 },
    { bits: 32, float: true },
  ]
  for (const coding of codings)
    test(`${coding.bits} bits ${coding.float ? 'float' : 'integer'}`, async (context) => {
      const { output, recorder, heard } = await openCapture(context)
      const path = join(await folderFor(context), 'coded.bin')
      await writeFile(path, sweepWav(16_000, 0.4, coding))
      await output.load({ kind: 'file', path })
      await recorder.untilType('ended')
      assert.equal(heard().frames, 6400)
      assertSweep(heard(), 16_000, 0, 2, coding.bits === 8 ? 0.999 : 0.999_999)
    })
})

test('embedded: volume scales samples by ear and at once', async (context) => {
  const { output, recorder, heard } = await openCapture(context)
  await output.setVolume(50)
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') })
  await untilPosition(output, 200)
  const changed = heard().frames
  await output.setVolume(100)
  await recorder.untilType('ended')
  const { left, frames } = heard()
  near(peak(left.subarray(0, changed)), 0.5 * 0.125, 0.003, 'peak at half the volume')
  near(peak(left.subarray(frames - 4000)), 0.5, 0.003, 'peak at full volume')
})

test('embedded: tracks of different sample rates follow one another', async (context) => {
  const { output, recorder, heard } = await openCapture(context)
  for (const name of ['sweep.wav', 'sweep.flac', 'sweep.opus']) {
    await output.load({ kind: 'file', path: mediaPath(name) }, { position_ms: 2800 })
    await recorder.untilType('ended')
  }
  assert.equal(heard().frames, 0.2 * (22_050 + 32_000 + 48_000))
})

test('embedded: a pause loses and repeats nothing', async (context) => {
  const { output, recorder, heard } = await openCapture(context)
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') })
  for (const stop of [200, 400, 600]) {
    await untilPosition(output, stop)
    await output.pause()
    await output.resume()
  }
  await recorder.untilType('ended')
  assert.equal(heard().frames, 3 * 22_050)
  // Six edges of eight milliseconds, and nothing else, differ.
  assertSweep(heard(), 22_050, 0, 1, 0.98)
})

test('embedded: sound goes on while the service is busy', async (context) => {
  const { output, heard } = await openCapture(context)
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') })
  await untilPosition(output, 100)
  const [before, until] = [heard().frames, performance.now() + 60_000]
  const meanwhile = () => heard().frames - before
  // Without a moment for anything else in this thread.
  while (meanwhile() < 0.5 * 22_050 && performance.now() < until);
  assert.ok(meanwhile() >= 0.5 * 22_050, `${meanwhile()} frames`)
})

describe('embedded: streams of every codec', { concurrency: true }, () => {
  for (const name of ['sweep-vbr-stereo.mp3', 'sweep.flac', 'sweep.ogg', 'sweep.opus'])
    test(name, async (context) => {
      const sound = readFileSync(mediaPath(name))
      // Several, far ahead: each song of a station starts with headers of its own.
      const songs = Buffer.concat(Array<Buffer>(8).fill(sound))
      const url = await serve(context, (_request, response) => response.write(songs))
      const { output, recorder, heard } = await openCapture(context)
      await output.load({ kind: 'stream', url })
      await recorder.untilState('playing')
      await untilPosition(output, 3200)
      assert.ok(peak(heard().left.subarray(-2000)) > 0.3)
      assert.equal(output.snapshot().underrun_count, 0)
    })
})

test('embedded: a program that plays gets every sample, and its end is waited for', async (context) => {
  const folder = await folderFor(context)
  const [program, capture] = [join(folder, 'play'), join(folder, 'heard.raw')]
  await writeFile(program, `#!/bin/sh\nexec cat > ${capture}\n`, { mode: 0o755 })
  const { output, recorder } = await openCapture(context, { sink: 'aplay', command: program })
  const pace = paceFrom(2000)
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') }, { position_ms: 2000 })
  // The device holds no more than the last quarter of a second by then.
  pace(3000, 'the end', (await recorder.untilType('ended')).at)
  await atLeast(22_050, () => readCapture(capture).frames)
  const { left, right } = readCapture(capture)
  const [sound, silence] = [left.subarray(0, 22_050), left.subarray(22_050)]
  assert.equal(sound.length, 22_050)
  assertSweep({ frames: 22_050, left: sound, right }, 22_050, 44_100, 1, 0.999_999)
  // Once the sound is over the device is kept running, sooner or later as the test comes to look.
  assert.equal(peak(silence), 0)
})

test('embedded: a worker whose answer lies there unread is not taken for stuck', async (context) => {
  const output = createEmbeddedAudio({ sink: 'null', timings, patience_ms: 2_000 })
  context.after(() => output.close())
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') }, { paused: true })
  const asked = output.seek(500)
  setImmediate(() => busyFor(2_500))
  await asked
  assert.equal(output.snapshot().state, 'paused')
})

test('embedded: a device that cannot be opened is tried again, then told', async (context) => {
  const program = join(await folderFor(context), 'play')
  await writeFile(program, '#!/bin/sh\necho "audio open error: No such device" >&2\nexit 1\n', {
    mode: 0o755,
  })
  const { output, recorder } = await openCapture(context, { sink: 'aplay', command: program })
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') })
  const { reason, error = '' } = await recorder.untilType('ended')
  assert.equal(reason, 'lost')
  assert.match(error, /No such device/)
  assert.equal(output.snapshot().state, 'stopped')
})

test('embedded: a worker that dies is told and replaced', async (context) => {
  const { output, recorder } = await openCapture(context, { sink: 'capture:/nowhere/heard.raw' })
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') }, { paused: true })
  // The file is opened while sound already goes on, so the call may be answered before it fails.
  await output.resume().catch(({ message }) => assert.match(message, /worker failed|ENOENT/))
  const { reason, error = '' } = await recorder.untilType('ended')
  assert.equal(reason, 'lost')
  assert.match(error, /ENOENT/)
  assert.equal(output.snapshot().state, 'stopped')
  await output.load({ kind: 'file', path: mediaPath('sweep.wav') }, { paused: true })
  assert.equal(output.snapshot().state, 'paused')
})

audioDeviceContract('embedded', openEmbeddedDevice)

/** A card that can be taken away: so many seconds of numbered sound play on it. */
async function playOnCard(context: TestContext, seconds: number) {
  const folder = await mkdtemp(join(tmpdir(), 'audio-'))
  const [program, heard] = [join(folder, 'play'), join(folder, 'heard.raw')]
  const device = fileURLToPath(new URL('./testing/buffering-device.ts', import.meta.url))
  const gone = 'echo "audio open error: No such device" >&2; exit 1'
  const script = `#!/bin/sh\n[ -e ${folder}/gone ] && { ${gone}; }\nexec ${process.execPath} ${device} ${heard} "$@"\n`
  await writeFile(program, script, { mode: 0o755 })
  await writeFile(heard, '')
  const output = createEmbeddedAudio({
    ...{ sink: 'alsa:plughw:CARD=USB', command: program, asound: join(folder, 'asound') },
  })
  context.after(async () => {
    await output.close()
    // The device may still be about to write there.
    await rm(folder, { recursive: true, maxRetries: 10 })
  })
  const recorder = record(output)
  const path = join(folder, 'a.wav')
  await writeFile(path, numberedWav(44_100, seconds * 44_100))
  await output.load({ kind: 'file', path })
  const status = join(folder, 'asound/card0/pcm0p/sub0/status')
  const signal = (name: NodeJS.Signals) => {
    const [, pid] = /owner_pid +: (\d+)/.exec(readFileSync(status, 'utf8')) ?? []
    process.kill(Number(pid), name)
  }
  /** It is there, and that is what is heard. A busy machine may keep a device waiting, but not for good. */
  async function untilHeard(least_ms: number) {
    const isHeard = () => {
      const { position_ms } = output.snapshot()
      const ahead_ms = position_ms - (readNumbered(heard).sounding / 44_100) * 1000
      return position_ms >= least_ms && Math.abs(ahead_ms) < 100
    }
    while (!isHeard() && output.snapshot().state !== 'stopped')
      await new Promise((resolve) => setTimeout(resolve, 20))
    assert.notEqual(output.snapshot().state, 'stopped')
  }
  const card = { folder, status, signal, heard: () => readNumbered(heard) }
  return { output, recorder, untilHeard, ...card }
}

test('embedded: after a device has run dry the position is again what is heard', async (context) => {
  const { output, recorder, signal, untilHeard } = await playOnCard(context, 20)
  await untilHeard(1000)
  recorder.forget()
  const halt = async (ms: number) => {
    signal('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, ms))
    signal('SIGCONT')
  }
  await halt(2000)
  await recorder.untilType('underrun')
  // And it is slow to begin again.
  await halt(1000)
  await untilHeard(output.snapshot().position_ms + 500)
})

test('embedded: an output that is pulled out and put back in goes on where it was', async (context) => {
  const played = await playOnCard(context, 6)
  const { folder, output, recorder, status, signal, heard, untilHeard } = played
  await untilHeard(2500)
  await writeFile(join(folder, 'gone'), '')
  recorder.forget()
  signal('SIGKILL')
  await recorder.untilState('buffering')
  const { position_ms } = output.snapshot()
  // What a device that got no time from the machine should have let out was in its hands, and so is
  // what it would have until its end is noticed.
  const owed_ms = Date.now() - statSync(status).mtimeMs
  const lost_ms = ((heard().numbers.at(-1) ?? 0) / 44_100) * 1000
  const isThere = position_ms > lost_ms - 1000 && position_ms <= lost_ms + owed_ms
  assert.ok(isThere, `lost at ${lost_ms} ms, goes on from ${position_ms}`)
  await rm(join(folder, 'gone'))
  await recorder.untilState('playing')
  assert.equal((await recorder.untilType('ended')).reason, 'eof')
  const last = 6 * 44_100 - 1
  while (heard().numbers.at(-1) !== last) await new Promise((resolve) => setTimeout(resolve, 50))
  const { numbers } = heard()
  const missing = 6 * 44_100 - new Set(numbers).size
  assert.ok(missing <= (owed_ms / 1000) * 44_100, `${missing} frames were never heard`)
})
