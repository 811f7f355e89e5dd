import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { AudioOutput } from '../ports/audio-output.ts'
import { mediaPath } from './testing/media.ts'
import { numberedWav, readLoudness, readNumbered } from './testing/numbered.ts'
import { near, record, untilPosition } from './testing/recorder.ts'

const RATE = 44_100
/** A device may swallow a frame when it begins or falls silent: its last one has gain 0. */
const AT_EACH_EDGE = 2

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
    const heard = () => readNumbered(join(folder, 'heard.raw'))
    const loudness = () => readLoudness(join(folder, 'heard.raw'))
    return { output, recorder: record(output), numbered, heard, loudness }
  }

  /** Waits until the device has let out as much, and is silent. */
  async function untilHeard(heard: () => ReturnType<typeof readNumbered>, frames: number) {
    for (let looks = 0; heard().sounding < frames && looks < 300; looks++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    return heard()
  }

  describe(`${name}: what a device lets out`, () => {
    test('a pause loses and repeats nothing, and the position is what was heard', async (context) => {
      const { output, recorder, numbered, heard } = await open(context)
      await output.load(await numbered('a.wav', 3 * RATE))
      for (const stop of [700, 1300, 1900]) {
        await untilPosition(output, stop)
        await output.pause()
        const { position_ms, state } = output.snapshot()
        assert.equal(state, 'paused')
        const { sounding } = await untilHeard(heard, (position_ms / 1000) * RATE - 100)
        near((sounding / RATE) * 1000, position_ms, 30, 'what was heard until the pause, in ms')
        await output.resume()
      }
      await recorder.untilType('ended')
      const { sounding, numbers, silences } = await untilHeard(heard, 3 * RATE - 3 * AT_EACH_EDGE)
      near(sounding, 3 * RATE, 3 * AT_EACH_EDGE, 'frames heard')
      assert.ok(numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0)))
      assert.equal(numbers.at(-1), 3 * RATE - 1)
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
      await untilPosition(output, 400)
      const heard = loudness()
      const loud = heard.findLastIndex((share) => share > 0.3)
      const after = heard.slice(loud + 1)
      assert.ok(after.length > 0.2 * RATE, `${after.length} frames of the second`)
      assert.ok(after.slice(-100).every((share) => Math.abs(share - 0.125) < 0.01))
      assert.ok(heard.slice(0, loud).every((share) => share === 0 || share > 0.125))
    })

    test('a fade rises by ear from silence to the volume, without a step', async (context) => {
      const { output, recorder, numbered, loudness } = await open(context)
      await output.load(await numbered('a.wav', 2 * RATE), { fade_in_ms: 1000 })
      await recorder.untilType('ended')
      const heard = loudness().filter((share) => share > 0)
      const steps = heard.slice(1).map((share, i) => share - (heard[i] ?? 0))
      assert.ok(Math.max(...steps.slice(0, RATE)) < 0.06, `a step of ${Math.max(...steps)}`)
      near(heard[Math.floor(RATE / 2)] ?? 0, 0.125, 0.1, 'loudness after half of the time')
      near(heard[Math.floor(RATE * 1.3)] ?? 0, 1, 0.01, 'loudness at the end')
    })

    test('a pause that fades falls to silence first, and goes on at the full volume', async (context) => {
      const { output, numbered, loudness } = await open(context)
      await output.load(await numbered('a.wav', 3 * RATE))
      await untilPosition(output, 700)
      await output.pause({ fade_ms: 400 })
      assert.equal(output.snapshot().state, 'paused')
      const heard = loudness().filter((share) => share > 0)
      assert.ok((heard.at(-1) ?? 1) < 0.05, `ends at ${heard.at(-1)}`)
      await output.resume()
      await untilPosition(output, output.snapshot().position_ms + 500)
      near(loudness().at(-1) ?? 0, 1, 0.01, 'loudness after the pause')
    })
  })
}
