import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { mediaPath, sweepWav } from './testing/media.ts'
import { type MakeOutput, openOutput } from './testing/open-output.ts'
import { near, paceFrom, untilPosition } from './testing/recorder.ts'

const file = (name: string) => ({ kind: 'file' as const, path: mediaPath(name) })

const LONG_MS = 60_000
const LONG = sweepWav(8000, LONG_MS / 1000)

/** What a busy machine does not miss the end of while something is done to it. */
async function longFile(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'audio-'))
  context.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'long.wav')
  await writeFile(path, LONG)
  return { kind: 'file' as const, path }
}

/** Its header is whole, and every frame begins as one: nothing of it can be decoded. */
function damagedFlac(): Buffer {
  const damaged = readFileSync(mediaPath('sweep.flac'))
  const first = damaged.indexOf(Buffer.from([0xff, 0xf8]))
  for (let at = first + 16; at < damaged.length; at++)
    if (damaged.subarray(at - 16, at).lastIndexOf(Buffer.from([0xff, 0xf8])) < 0)
      damaged[at] = (at * at * 31) >> 5
  return damaged
}

/** Sound as any other, but its last page says that it is three million years long. */
function endlessOgg(): Buffer {
  const ogg = readFileSync(mediaPath('sweep.opus'))
  const last = ogg.lastIndexOf('OggS')
  ogg.writeBigInt64LE(2n ** 62n, last + 6)
  ogg.writeUInt32LE(0, last + 22)
  ogg.writeUInt32LE(oggSum(ogg.subarray(last)), last + 22)
  return ogg
}

/** The checksum of a page (RFC 3533, section 6). */
function oggSum(page: Buffer): number {
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}

/** How every engine plays files; `makeOutput` as for `audioContract`. */
export function audioFilesContract(name: string, makeOutput: MakeOutput) {
  describe(`${name}: files`, () => {
    test('a file of 3 s takes 3 s, then stops and says why', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      const pace = paceFrom(0)
      await output.load(file('sweep-cbr-mono.mp3'))
      const { state, duration_ms, position_ms } = output.snapshot()
      assert.equal(state, 'playing')
      near(duration_ms, 3000, 60, 'duration')
      pace(position_ms, 'position at the start')
      pace(3000, 'the end', (await recorder.untilType('ended')).at)
      assert.deepEqual(recorder.story(), ['playing', 'stopped', 'ended eof'])
      assert.equal(output.snapshot().state, 'stopped')
      assert.equal(output.snapshot().position_ms, 0)
      assert.equal(output.snapshot().duration_ms, 0)
      assert.equal(output.snapshot().underrun_count, 0)
    })

    test('a file that claims to be longer than anything is plays, and no such length is told', async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'endless-'))
      context.after(() => rm(folder, { recursive: true }))
      const path = join(folder, 'endless.opus')
      await writeFile(path, endlessOgg())
      const { output } = await openOutput(context, makeOutput)
      await output.load({ kind: 'file', path })
      await untilPosition(output, 200)
      assert.ok(output.snapshot().duration_ms <= 3_600_000, `${output.snapshot().duration_ms}`)
    })

    test('pause freezes the position, resume goes on from there', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      const before = paceFrom(0)
      await output.load(await longFile(context))
      before(await untilPosition(output, 300), 'position in the middle')
      await output.pause()
      const held = output.snapshot()
      assert.equal(held.state, 'paused')
      await new Promise((resolve) => setTimeout(resolve, 300))
      near(output.snapshot().position_ms, held.position_ms, 30, 'position while paused')
      const pace = paceFrom(held.position_ms)
      await output.resume()
      assert.equal(output.snapshot().state, 'playing')
      pace(await untilPosition(output, held.position_ms + 200), 'position after the pause')
      assert.deepEqual(recorder.story(), ['playing', 'paused', 'playing'])
    })

    test('seek lands where it was asked to, playing or paused', async (context) => {
      const { output } = await openOutput(context, makeOutput)
      await output.load(await longFile(context))
      const pace = paceFrom(1500)
      await output.seek(1500)
      assert.equal(output.snapshot().state, 'playing')
      pace(output.snapshot().position_ms, 'position after the seek')
      await untilPosition(output, 1700)
      await output.pause()
      await output.seek(400)
      assert.equal(output.snapshot().state, 'paused')
      near(output.snapshot().position_ms, 400, 50, 'position after the seek while paused')
      const later = paceFrom(400)
      await output.resume()
      later(await untilPosition(output, 600), 'position when it goes on')
      await output.load(file('sweep.flac'), { paused: true })
      await output.seek(1500)
      near(output.snapshot().position_ms, 1500, 50, 'position in a file of another kind')
    })

    test('seek beyond the end is the end', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      await output.load(file('sweep-vbr-stereo.mp3'))
      await output.seek(60_000)
      assert.equal((await recorder.untilType('ended')).reason, 'eof')
      assert.equal(output.snapshot().state, 'stopped')
    })

    test('a file starts at the position that was kept', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      const pace = paceFrom(2000)
      await output.load(file('sweep-id3.mp3'), { position_ms: 2000 })
      pace(output.snapshot().position_ms, 'position at the start')
      pace(3000, 'the end', (await recorder.untilType('ended')).at)
    })

    test('a file can be loaded paused at a position', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      await output.load(file('sweep.ogg'), { position_ms: 1200, paused: true })
      assert.equal(output.snapshot().state, 'paused')
      near(output.snapshot().position_ms, 1200, 50, 'position')
      const pace = paceFrom(1200)
      await output.resume()
      pace(3000, 'the end', (await recorder.untilType('ended')).at)
      assert.deepEqual(recorder.story(), ['paused', 'playing', 'stopped', 'ended eof'])
    })

    test('volume is kept over loads', async (context) => {
      const { output } = await openOutput(context, makeOutput)
      await output.setVolume(35)
      await output.load(file('sweep.wav'))
      assert.equal(output.snapshot().volume, 35)
      await output.setVolume(0)
      await output.load(file('sweep.flac'))
      assert.equal(output.snapshot().volume, 0)
    })

    test('load replaces what plays, and the old source says nothing any more', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      await output.load(file('sweep.wav'), { position_ms: 2800 })
      await output.load(await longFile(context))
      const before = recorder.events.length
      // The first would have ended by now.
      await untilPosition(output, 500)
      const since = recorder.story().slice(before)
      assert.ok(!since.some((event) => event.startsWith('ended')), since.join(', '))
      near(output.snapshot().duration_ms, LONG_MS, 60, 'duration')
      assert.equal(output.snapshot().state, 'playing')
    })

    test('of two loads at once the newer wins and the older is told', async (context) => {
      const { output } = await openOutput(context, makeOutput)
      const long = await longFile(context)
      const older = output.load(file('sweep.wav'))
      const pace = paceFrom(1000)
      const newer = output.load(long, { position_ms: 1000 })
      await assert.rejects(older)
      await newer
      assert.equal(output.snapshot().state, 'playing')
      pace(output.snapshot().position_ms, 'position')
    })

    test('stop stops', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      const long = await longFile(context)
      await output.load(long)
      await output.stop()
      const { state, position_ms, duration_ms } = output.snapshot()
      assert.deepEqual(
        { state, position_ms, duration_ms },
        { state: 'stopped', position_ms: 0, duration_ms: 0 },
      )
      await output.load(long)
      assert.deepEqual(recorder.story(), ['playing', 'stopped', 'playing'])
    })

    test('what is not sound, or not there, is refused, and what plays is left alone', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      const text = mediaPath('README.md')
      await assert.rejects(output.load({ kind: 'file', path: text }))
      await assert.rejects(output.load({ kind: 'file', path: '/nowhere/001.mp3' }))
      assert.equal(output.snapshot().state, 'stopped')
      assert.deepEqual(recorder.story(), [])
      await output.load(await longFile(context), { position_ms: 500 })
      await assert.rejects(output.load({ kind: 'file', path: text }, { volume: 1 }))
      await assert.rejects(output.load({ kind: 'file', path: '/nowhere/001.mp3' }))
      assert.equal(output.snapshot().state, 'playing')
      assert.equal(output.snapshot().volume, 100)
      await untilPosition(output, 1000)
      assert.deepEqual(recorder.story(), ['playing'])
    })

    for (const [what, name, content] of [
      ['a file that ends with its header', 'head.wav', sweepWav(8000, 1).subarray(0, 44)],
      ['a file of damaged sound', 'damaged.flac', damagedFlac()],
    ] as const)
      test(`${what} is refused, not taken for heard, and what plays goes on`, async (context) => {
        const { output, recorder } = await openOutput(context, makeOutput)
        const folder = await mkdtemp(join(tmpdir(), 'audio-'))
        context.after(() => rm(folder, { recursive: true }))
        const silent = { kind: 'file' as const, path: join(folder, name) }
        await writeFile(silent.path, content)
        await assert.rejects(output.load(silent), /no sound could be decoded/)
        assert.equal(output.snapshot().state, 'stopped')
        await output.setVolume(60)
        await output.load(await longFile(context), { position_ms: 500 })
        await assert.rejects(output.load(silent, { volume: 1 }), /no sound could be decoded/)
        assert.equal(output.snapshot().state, 'playing')
        assert.equal(output.snapshot().volume, 60)
        await untilPosition(output, 1000)
        await output.seek(LONG_MS - 500)
        const { reason } = await recorder.untilType('ended')
        assert.equal(reason, 'eof')
        // Joined to the end of a track it is no track either.
        await assert.rejects(output.load(silent), /no sound could be decoded/)
        assert.equal(output.snapshot().state, 'stopped')
        assert.equal(recorder.story().filter((event) => event.startsWith('ended')).length, 1)
      })

    test('a copy that was cut, behind a tag that claims too much, is as long as what is there', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      const folder = await mkdtemp(join(tmpdir(), 'audio-'))
      context.after(() => rm(folder, { recursive: true }))
      const path = join(folder, 'cut.mp3')
      const whole = readFileSync(mediaPath('sweep-vbr-stereo.mp3'))
      const half = whole.subarray(0, whole.length / 2)
      const tag = Buffer.from('ID3\x04\0\0\0\x7f\0\0', 'latin1')
      await writeFile(path, Buffer.concat([tag, half]))
      await output.load({ kind: 'file', path }, { position_ms: 500, paused: true })
      near(output.snapshot().duration_ms, 1255, 60, 'duration')
      const pace = paceFrom(500)
      await output.resume()
      const { reason, at } = await recorder.untilType('ended')
      assert.equal(reason, 'eof')
      pace(1255, 'the end', at)
    })

    test('a file that is cut while it plays is lost, not ended', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      const long = await longFile(context)
      await output.load(long)
      await truncate(long.path, LONG.length / 4)
      await output.seek(LONG_MS / 4 - 500)
      assert.equal((await recorder.untilType('ended')).reason, 'lost')
      assert.equal(output.snapshot().state, 'stopped')
    })
  })
}
