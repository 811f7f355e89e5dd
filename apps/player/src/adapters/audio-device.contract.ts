import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { AudioOutput } from '../ports/audio-output.ts'
import { mediaPath } from './testing/media.ts'
import { numberedWav, readNumbered } from './testing/numbered.ts'
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
    return { output, recorder: record(output), numbered, heard }
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
      near(silences.length, 3, 0, 'silences')
      assert.equal(output.snapshot().underrun_count, 0)
    })

    test('what is loaded at the end of a track follows it without a gap', async (context) => {
      const { output, recorder, numbered, heard } = await open(context)
      const first = await numbered('a.wav', RATE)
      const second = await numbered('b.wav', RATE)
      await output.load(first)
      await recorder.untilType('ended')
      await output.load(second)
      await recorder.untilType('ended')
      const { sounding, silences } = await untilHeard(heard, 2 * RATE)
      assert.equal(sounding, 2 * RATE)
      near(silences.reduce((sum, frames) => sum + frames, 0) / RATE, 0, 0.1, 'seconds of silence')
      assert.equal(output.snapshot().underrun_count, 0)
    })

    test('the start of an MP3 counts no underrun', async (context) => {
      const { output } = await open(context)
      await output.load({ kind: 'file', path: mediaPath('sweep-vbr-stereo.mp3') })
      await untilPosition(output, 1200)
      assert.equal(output.snapshot().underrun_count, 0)
    })
  })
}
