import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { AudioOutput } from '../ports/audio-output.ts'
import { bestLag, readCapture } from './testing/captured.ts'
import { mediaPath, wavFile } from './testing/media.ts'
import { numberedWav, readLoudness, readNumbered } from './testing/numbered.ts'
import { atLeast, near, record, untilPosition } from './testing/recorder.ts'

const RATE = 44_100
/** A device may swallow a frame when it begins or falls silent: its last one has gain 0. */
const AT_EACH_EDGE = 2
/** In which a cut rises or falls. */
const EDGE = Math.ceil(0.011 * RATE)
/** A device tells its position in steps. */
const STEP_MS = 50
/** On the right channel, so that every frame that sounds can be counted. */
const LOUD = 1000

/**
 * What every engine promises about what comes out of a device, in frames. `openDevice` gives an
 * output on a device that plays in true time and writes what it let out to `heard.raw` in the folder.
 */
export function audioDeviceContract(
  name: string,
  openDevice: (folder: string) => Promise<AudioOutput>,
) {
  async function open(context: TestContext) {
    const folder = await mkdtemp(join(tmpdir(), 'device-'))
    const output = await openDevice(folder)
    context.after(async () => {
      await output.close()
      await rm(folder, { recursive: true })
    })
    async function numbered(file: string, frames: number) {
      const path = join(folder, file)
      await writeFile(path, numberedWav(RATE, frames))
      return { kind: 'file' as const, path }
    }
    async function tone(file: string, hertz: number, seconds: number) {
      const path = join(folder, file)
      const sampleOf = (frame: number) => 8000 * Math.sin((2 * Math.PI * hertz * frame) / RATE)
      await writeFile(
        path,
        wavFile(RATE, seconds * RATE, (frame) => [Math.round(sampleOf(frame)), LOUD]),
      )
      return { kind: 'file' as const, path }
    }
    const capture = () => readCapture(join(folder, 'heard.raw'))
    const heard = () => readNumbered(join(folder, 'heard.raw'))
    const loudness = () => readLoudness(join(folder, 'heard.raw'))
    return { output, recorder: record(output), numbered, tone, heard, loudness, capture }
  }

  /** Waits until the device has let out as much. */
  async function untilHeard(heard: () => ReturnType<typeof readNumbered>, frames: number) {
    await atLeast(frames, () => heard().sounding)
    return heard()
  }

  describe(`${name}: what a device lets out`, () => {
    test('a pause loses and repeats nothing, and the position is what was heard', async (context) => {
      const { output, recorder, numbered, heard, capture } = await open(context)
      // The last stop long before the end, which a busy machine would not wait for.
      await output.load(await numbered('a.wav', 4 * RATE))
      for (const stop of [400, 800, 1200]) {
        await untilPosition(output, stop)
        await output.pause()
        const { position_ms, state } = output.snapshot()
        assert.equal(state, 'paused')
        const { sounding } = await untilHeard(heard, (position_ms / 1000) * RATE - 100)
        near((sounding / RATE) * 1000, position_ms, 30, 'what was heard until the pause, in ms')
        await atLeast(1, () => (capture().right.at(-1) === 0 ? 1 : 0))
        await output.resume()
      }
      await recorder.untilType('ended')
      const { sounding, numbers, silences } = await untilHeard(heard, 4 * RATE - 3 * AT_EACH_EDGE)
      near(sounding, 4 * RATE, 3 * AT_EACH_EDGE, 'frames heard')
      assert.ok(numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0)))
      assert.equal(numbers.at(-1), 4 * RATE - 1)
      assert.ok(silences.length >= 3, `${silences.length} silences`)
    })

    test('what is loaded at the end of a track follows it without a gap', async (context) => {
      const { output, recorder, numbered, heard } = await open(context)
      const track = await numbered('a.wav', RATE / 2)
      await output.load(track)
      // Where others keep the machine from loading in time there is a gap: some of them have to do.
      const tracks = 10
      for (let next = 1; next < tracks; next++) {
        await recorder.untilType('ended')
        await output.load(track)
      }
      await recorder.untilType('ended')
      const frames = (tracks * RATE) / 2
      const { sounding, silences } = await untilHeard(heard, frames)
      assert.equal(sounding, frames)
      assert.ok(silences.length < tracks - 1, `silences of ${silences} frames`)
    })

    test('a clip is heard from its first frame to its last, and nothing beyond', async (context) => {
      const [first, end] = [Math.round(1.234 * RATE), Math.round(2.469 * RATE)]
      // A busy machine may run dry in earnest, but not every time.
      const gaps: number[][] = []
      while (gaps.length < 6 && !gaps.some(({ length }) => length === 0)) {
        const { output, recorder, numbered, heard, loudness } = await open(context)
        const track = await numbered('a.wav', 4 * RATE)
        await output.load(track, { position_ms: 1234, until_ms: 2469 })
        const { position_ms, duration_ms } = output.snapshot()
        // How far it is by now is a matter of the machine; it was never before its beginning.
        const isInside = position_ms >= 1234 - STEP_MS && position_ms <= 2469
        assert.ok(isInside, `begins at ${position_ms} ms`)
        near(duration_ms, 4000, 1, 'duration of the file')
        const { reason } = await recorder.untilType('ended')
        assert.equal(reason, 'eof')
        const { sounding, numbers, silences } = await untilHeard(heard, end - first - AT_EACH_EDGE)
        gaps.push(silences)
        const { underrun_count } = output.snapshot()
        assert.ok(silences.length <= underrun_count, `${silences} frames of silence for no reason`)
        near(sounding, end - first, AT_EACH_EDGE, 'frames heard')
        // At its edges it rises and falls, in between every frame is there, once.
        near(numbers[0] ?? 0, first, EDGE, 'the first frame at full volume')
        near(numbers.at(-1) ?? 0, end, EDGE, 'the last frame at full volume')
        assert.ok(numbers.every((number, i) => i === 0 || number === (numbers[i - 1] ?? 0) + 1))
        const shares = loudness().filter((share) => share > 0)
        assert.ok((shares[0] ?? 1) < 0.05, `begins at ${shares[0]}`)
        assert.ok((shares.at(-1) ?? 1) < 0.05, `ends at ${shares.at(-1)}`)
      }
      assert.deepEqual(gaps.at(-1), [])
    })

    test('a clip of a file with variable bit rate is cut at the same place', async (context) => {
      const { output, recorder, capture } = await open(context)
      const path = mediaPath('sweep-vbr-stereo.mp3')
      await output.load({ kind: 'file', path }, { position_ms: 1500, until_ms: 2200 })
      await recorder.untilType('ended')
      const wanted = 0.7 * RATE
      const sound = () => {
        const { left } = capture()
        const from = left.findIndex((sample) => sample !== 0)
        return left.subarray(from, left.findLastIndex((sample) => sample !== 0) + 1)
      }
      near(await atLeast(wanted - 10, () => sound().length), wanted, 10, 'frames heard')
      const middle = sound().subarray(RATE / 10, RATE / 2)
      const lag = bestLag(middle, { rate: RATE, first: 1.6 * RATE })
      near(lag, 0, 10, 'frames away from its place')
    })

    test('a pause and a seek inside a clip keep its end', async (context) => {
      const { output, recorder, numbered, heard } = await open(context)
      await output.load(await numbered('a.wav', 4 * RATE), { position_ms: 500, until_ms: 3500 })
      await untilPosition(output, 700)
      await output.pause()
      await output.seek(2800)
      await output.resume()
      await recorder.untilType('ended')
      const last = await atLeast(3.5 * RATE - EDGE, () => heard().numbers.at(-1) ?? 0)
      near(last, 3.5 * RATE, EDGE, 'the last frame at full volume')
      await output.load(await numbered('b.wav', 4 * RATE), { until_ms: 3500 })
      await output.seek(60_000)
      assert.equal((await recorder.untilType('ended')).reason, 'eof')
    })

    for (const percent of [50, 75, 125])
      test(`at ${percent} % it takes its time, and the pitch is the same`, async (context) => {
        const { output, recorder, tone, capture } = await open(context)
        const track = await tone('tone.wav', 220, 4)
        await output.load(track, { position_ms: 1000, until_ms: 2000, speed: percent })
        await recorder.untilType('ended')
        const wanted = (RATE * 100) / percent
        const slack = 0.04 * RATE
        const sounding = () => {
          const { right, left } = capture()
          return left.filter((_, i) => right[i] !== 0)
        }
        const frames = await atLeast(wanted - slack, () => sounding().length)
        near(frames, wanted, slack, 'frames heard')
        near(pitchOf(sounding()), 220, 1, 'pitch')
      })

    test('the speed changes while it plays, and positions stay those of the file', async (context) => {
      const { output, recorder, tone, capture } = await open(context)
      await output.load(await tone('tone.wav', 220, 4), { until_ms: 3000 })
      await untilPosition(output, 1000)
      const from = output.snapshot().position_ms
      await output.setSpeed(50)
      const to = output.snapshot().position_ms
      await untilPosition(output, 1500)
      assert.equal(output.snapshot().state, 'playing')
      near(output.snapshot().duration_ms, 4000, 1, 'duration')
      await recorder.untilType('ended')
      const sounding = () => capture().right.filter((sample) => sample !== 0).length
      // How far it was when the speed changed is a matter of the machine.
      const framesSince = (ms: number) => ((ms + 2 * (3000 - ms)) / 1000) * RATE
      const [least, most] = [framesSince(to) - 0.6 * RATE, framesSince(from) + 0.6 * RATE]
      const frames = await atLeast(least, sounding)
      assert.ok(frames >= least && frames <= most, `${frames} frames, not ${least} to ${most}`)
      await output.load(await tone('next.wav', 220, 1))
      await recorder.untilType('ended')
      const after = await atLeast(frames + 0.9 * RATE, sounding)
      near(after - frames, RATE, 0.5 * RATE, 'frames of the next, at its own speed')
    })

    test('the start of an MP3 counts no underrun', async (context) => {
      const { output } = await open(context)
      // A busy machine may run dry in earnest, but not every time.
      const counts: number[] = []
      for (let start = 0; start < 4 && !counts.includes(0); start++) {
        const before = output.snapshot().underrun_count
        await output.load({ kind: 'file', path: mediaPath('sweep-vbr-stereo.mp3') })
        await untilPosition(output, 500)
        counts.push(output.snapshot().underrun_count - before)
        await output.stop()
      }
      assert.ok(counts.includes(0), `underruns ${counts}`)
    })

    test('a volume that comes with a source holds from its first sound on, never before', async (context) => {
      const { output, numbered, loudness } = await open(context)
      await output.load(await numbered('a.wav', 3 * RATE))
      await untilPosition(output, 700)
      await output.load(await numbered('b.wav', RATE), { volume: 50 })
      assert.equal(output.snapshot().volume, 50)
      const parts = () => {
        const heard = loudness()
        const loud = heard.findLastIndex((share) => share > 0.3)
        const isSounding = (share: number) => share > 0
        return [heard.slice(0, loud), heard.slice(loud + 1)].map((part) => part.filter(isSounding))
      }
      const frames = await atLeast(0.3 * RATE, () => parts()[1]?.length ?? 0)
      assert.ok(frames >= 0.3 * RATE, `${frames} frames of the second`)
      const [first = [], second = []] = parts()
      assert.ok(second.slice(-100).every((share) => Math.abs(share - 0.125) < 0.01))
      assert.ok(first.every((share) => share > 0.125))
    })

    test('a fade rises by ear from silence to the volume, without a step', async (context) => {
      const { output, recorder, numbered, loudness } = await open(context)
      const sounding = () => loudness().filter((share) => share > 0)
      await output.load(await numbered('a.wav', 2 * RATE), { fade_in_ms: 1000 })
      await recorder.untilType('ended')
      await atLeast(1.9 * RATE, () => sounding().length)
      const heard = sounding()
      const steps = heard.slice(1).map((share, i) => share - (heard[i] ?? 0))
      assert.ok(Math.max(...steps.slice(0, RATE)) < 0.06, `a step of ${Math.max(...steps)}`)
      near(heard[Math.floor(RATE / 2)] ?? 0, 0.125, 0.1, 'loudness after half of the time')
      near(heard[Math.floor(RATE * 1.3)] ?? 0, 1, 0.01, 'loudness at the end')
    })

    test('what begins while a sleep timer fades is no louder than it, and falls to silence', async (context) => {
      const { output, recorder, numbered, loudness } = await open(context)
      await output.load(await numbered('a.wav', 3 * RATE), {
        falling: { level: 0.5, over_ms: 1500 },
      })
      await untilPosition(output, 300)
      await output.pause()
      await output.resume({ falling: { level: 0.4, over_ms: 1000 } })
      await recorder.untilType('ended')
      const sounding = loudness().filter((share) => share > 0)
      assert.ok(sounding.length > 0 && sounding.length < 2 * RATE, `${sounding.length} frames`)
      assert.ok(sounding.every((share) => share < 0.13))
    })

    test('a pause that fades falls to silence first, and goes on at the full volume', async (context) => {
      const { output, numbered, loudness } = await open(context)
      await output.load(await numbered('a.wav', 3 * RATE))
      await untilPosition(output, 700)
      await output.pause({ fade_ms: 400 })
      assert.equal(output.snapshot().state, 'paused')
      await atLeast(1, () => (loudness().at(-1) === 0 ? 1 : 0))
      const heard = loudness().filter((share) => share > 0)
      assert.ok((heard.at(-1) ?? 1) < 0.05, `ends at ${heard.at(-1)}`)
      await output.resume()
      await untilPosition(output, output.snapshot().position_ms + 500)
      // Where others keep the machine, the device may be silent by now.
      const after = loudness().filter((share) => share > 0)
      near(after.at(-RATE / 5) ?? 0, 1, 0.01, 'loudness after the pause')
    })
  })
}

/** Of a tone, from the times that it rises through zero. */
function pitchOf(samples: Float32Array): number {
  const middle = samples.subarray(
    Math.floor(samples.length * 0.2),
    Math.floor(samples.length * 0.8),
  )
  let [first, last, rises] = [-1, -1, -1]
  for (let i = 1; i < middle.length; i++) {
    if ((middle[i - 1] ?? 0) >= 0 || (middle[i] ?? 0) < 0) continue
    if (first < 0) first = i
    last = i
    rises += 1
  }
  return (rises * RATE) / (last - first)
}
