import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { AudioOutput } from '../ports/audio-output.ts'
import { mediaPath, sweepWav } from './testing/media.ts'
import { startRadio } from './testing/radio-server.ts'
import { near, record, untilPosition } from './testing/recorder.ts'

const file = (name: string) => ({ kind: 'file' as const, path: mediaPath(name) })
const stream = (url: string) => ({ kind: 'stream' as const, url })

/** What every engine promises. `makeOutput` gives one that plays in true time and reconnects quickly. */
export function audioContract(name: string, makeOutput: () => Promise<AudioOutput>) {
  async function open(context: TestContext) {
    const output = await makeOutput()
    context.after(() => output.close())
    return { output, recorder: record(output) }
  }

  describe(`${name}: files`, () => {
    test('a file of 3 s takes 3 s, then stops and says why', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(file('sweep-cbr-mono.mp3'))
      const started = performance.now()
      const { state, duration_ms, position_ms } = output.snapshot()
      assert.equal(state, 'playing')
      near(duration_ms, 3000, 60, 'duration')
      near(position_ms, 0, 250, 'position at the start')
      const before = await untilPosition(output, 1000)
      near(performance.now() - started, before, 250, 'time until the middle')
      const ended = await recorder.untilType('ended')
      near(ended.at - started, 3000, 250, 'time until the end')
      assert.deepEqual(recorder.story(), ['playing', 'stopped', 'ended eof'])
      assert.equal(output.snapshot().state, 'stopped')
      assert.equal(output.snapshot().position_ms, 0)
      assert.equal(output.snapshot().duration_ms, 0)
      assert.equal(output.snapshot().underrun_count, 0)
    })

    test('pause freezes the position, resume goes on from there', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(file('sweep.wav'))
      await untilPosition(output, 300)
      await output.pause()
      const held = output.snapshot()
      assert.equal(held.state, 'paused')
      await new Promise((resolve) => setTimeout(resolve, 300))
      near(output.snapshot().position_ms, held.position_ms, 30, 'position while paused')
      await output.resume()
      assert.equal(output.snapshot().state, 'playing')
      const resumed = await untilPosition(output, held.position_ms + 200)
      near(resumed, held.position_ms + 200, 250, 'position after the pause')
      assert.deepEqual(recorder.story(), ['playing', 'paused', 'playing'])
    })

    test('seek lands where it was asked to, playing or paused', async (context) => {
      const { output } = await open(context)
      await output.load(file('sweep.flac'))
      await output.seek(1500)
      assert.equal(output.snapshot().state, 'playing')
      near(output.snapshot().position_ms, 1500, 250, 'position after the seek')
      await untilPosition(output, 1700)
      await output.pause()
      await output.seek(400)
      assert.equal(output.snapshot().state, 'paused')
      near(output.snapshot().position_ms, 400, 50, 'position after the seek while paused')
      await output.resume()
      near(await untilPosition(output, 600), 600, 250, 'position when it goes on')
    })

    test('seek beyond the end is the end', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(file('sweep-vbr-stereo.mp3'))
      await output.seek(60_000)
      assert.equal((await recorder.untilType('ended')).reason, 'eof')
      assert.equal(output.snapshot().state, 'stopped')
    })

    test('a file starts at the position that was kept', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(file('sweep-id3.mp3'), { position_ms: 2000 })
      const started = performance.now()
      near(output.snapshot().position_ms, 2000, 250, 'position at the start')
      const ended = await recorder.untilType('ended')
      near(ended.at - started, 1000, 250, 'time until the end')
    })

    test('a file can be loaded paused at a position', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(file('sweep.ogg'), { position_ms: 1200, paused: true })
      assert.equal(output.snapshot().state, 'paused')
      near(output.snapshot().position_ms, 1200, 50, 'position')
      await output.resume()
      near(await untilPosition(output, 1300), 1300, 250, 'position when it goes on')
      assert.deepEqual(recorder.story(), ['paused', 'playing'])
    })

    test('volume is kept over loads', async (context) => {
      const { output } = await open(context)
      await output.setVolume(35)
      await output.load(file('sweep.wav'))
      assert.equal(output.snapshot().volume, 35)
      await output.setVolume(0)
      await output.load(file('sweep.flac'))
      assert.equal(output.snapshot().volume, 0)
    })

    test('load replaces what plays, and the old source says nothing any more', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(file('sweep.wav'), { position_ms: 2800 })
      const before = recorder.events.length
      await output.load(file('sweep.opus'))
      // The first would have ended by now.
      await untilPosition(output, 500)
      const since = recorder.story().slice(before)
      assert.ok(!since.some((event) => event.startsWith('ended')), since.join(', '))
      near(output.snapshot().duration_ms, 3000, 60, 'duration')
      assert.equal(output.snapshot().state, 'playing')
    })

    test('of two loads at once the newer wins and the older is told', async (context) => {
      const { output } = await open(context)
      const older = output.load(file('sweep.wav'))
      const newer = output.load(file('sweep-cbr-mono.mp3'), { position_ms: 1000 })
      await assert.rejects(older)
      await newer
      assert.equal(output.snapshot().state, 'playing')
      near(output.snapshot().position_ms, 1000, 250, 'position')
    })

    test('stop stops', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(file('sweep.wav'))
      await output.stop()
      const { state, position_ms, duration_ms } = output.snapshot()
      assert.deepEqual(
        { state, position_ms, duration_ms },
        { state: 'stopped', position_ms: 0, duration_ms: 0 },
      )
      await output.load(file('sweep.wav'))
      assert.deepEqual(recorder.story(), ['playing', 'stopped', 'playing'])
    })

    test('what is not sound, or not there, is refused, and what plays is left alone', async (context) => {
      const { output, recorder } = await open(context)
      const text = mediaPath('README.md')
      await assert.rejects(output.load({ kind: 'file', path: text }))
      await assert.rejects(output.load({ kind: 'file', path: '/nowhere/001.mp3' }))
      assert.equal(output.snapshot().state, 'stopped')
      assert.deepEqual(recorder.story(), [])
      await output.load(file('sweep.wav'), { position_ms: 500 })
      await assert.rejects(output.load({ kind: 'file', path: text }, { volume: 1 }))
      await assert.rejects(output.load({ kind: 'file', path: '/nowhere/001.mp3' }))
      assert.equal(output.snapshot().state, 'playing')
      assert.equal(output.snapshot().volume, 100)
      await untilPosition(output, 1000)
      assert.deepEqual(recorder.story(), ['playing'])
    })

    test('a file that is cut while it plays is lost, not ended', async (context) => {
      const { output, recorder } = await open(context)
      const folder = await mkdtemp(join(tmpdir(), 'audio-'))
      context.after(() => rm(folder, { recursive: true }))
      const path = join(folder, 'long.wav')
      await writeFile(path, sweepWav(8000, 20))
      await output.load({ kind: 'file', path })
      await truncate(path, readFileSync(path).length / 4)
      await output.seek(4500)
      assert.equal((await recorder.untilType('ended')).reason, 'lost')
      assert.equal(output.snapshot().state, 'stopped')
    })
  })

  describe(`${name}: streams`, () => {
    test('a stream buffers, then plays, and tells its title', async (context) => {
      const radio = await startRadio({ title: 'سورة البقرة' })
      context.after(() => radio.close())
      const { output, recorder } = await open(context)
      await output.load(stream(radio.url))
      assert.equal(output.snapshot().duration_ms, 0)
      await recorder.untilState('playing')
      assert.deepEqual(
        recorder.story().filter((event) => event !== 'metadata'),
        ['buffering', 'playing'],
      )
      const titles = recorder.events.flatMap((event) =>
        event.type === 'metadata' ? event.title : [],
      )
      assert.deepEqual(titles, ['سورة البقرة'])
      await untilPosition(output, 300)
      assert.equal(output.snapshot().duration_ms, 0)
      await assert.rejects(output.seek(0))
      assert.equal(output.snapshot().state, 'playing')
    })

    test('a station that dies and comes back plays on by itself', async (context) => {
      const radio = await startRadio()
      context.after(() => radio.close())
      const { output, recorder } = await open(context)
      await output.load(stream(radio.url))
      await recorder.untilState('playing')
      await radio.kill()
      await recorder.untilState('buffering')
      assert.equal(output.snapshot().underrun_count, 1)
      await radio.restart()
      await recorder.untilState('playing')
      assert.equal(output.snapshot().underrun_count, 1)
      assert.ok(recorder.story().includes('underrun'))
      assert.ok(radio.connections() >= 2)
    })

    test('pause while buffering stays paused when the sound comes', async (context) => {
      const radio = await startRadio()
      context.after(() => radio.close())
      radio.stall()
      const { output, recorder } = await open(context)
      await output.load(stream(radio.url))
      assert.equal(output.snapshot().state, 'buffering')
      await output.pause()
      radio.flow()
      await recorder.untilType('metadata')
      assert.equal(output.snapshot().state, 'paused')
      await output.resume()
      await recorder.untilState('playing')
      const story = recorder
        .story()
        .filter((event) => event !== 'metadata' && event !== 'buffering')
      assert.deepEqual(story, ['paused', 'playing'])
    })

    test('a station that answers 404 is an error', async (context) => {
      const server = createServer((_request, response) => response.writeHead(404).end())
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      context.after(() => server.close())
      const { output, recorder } = await open(context)
      await output.load(stream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
      const { reason, error = '' } = await recorder.untilType('ended')
      assert.equal(reason, 'error')
      assert.match(error, /404/)
      assert.equal(output.snapshot().state, 'stopped')
    })

    for (const [what, body] of [
      ['a page', Buffer.from('<html><body>Please sign in</body></html>'.repeat(2000))],
      ['noise', Buffer.from(Uint8Array.from({ length: 80_000 }, (_, i) => (i * i * 31) >> 5))],
    ] as const)
      test(`${what} instead of sound is tried a few times, then an error`, async (context) => {
        let requests = 0
        const server = createServer((_request, response) => {
          requests += 1
          response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(body)
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        context.after(() => server.close())
        const { output, recorder } = await open(context)
        await output.load(stream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
        const { reason, error = '' } = await recorder.untilType('ended')
        assert.equal(reason, 'error')
        assert.notEqual(error, '')
        assert.ok(requests >= 2 && requests <= 6, `${requests} requests`)
        assert.equal(output.snapshot().state, 'stopped')
      })

    test('a playlist whose first entry is no sound plays the second', async (context) => {
      const radio = await startRadio()
      context.after(() => radio.close())
      const server = createServer((request, response) => {
        if (request.url === '/page') response.writeHead(200).end('<html>'.repeat(20_000))
        else
          response
            .writeHead(200, { 'content-type': 'audio/x-mpegurl' })
            .end(`/page\n${radio.url}\n`)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      context.after(() => server.close())
      const { output, recorder } = await open(context)
      await output.load(stream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/list`))
      await recorder.untilState('playing')
    })

    test('an address that is refused is an error', async (context) => {
      const { output, recorder } = await open(context)
      await output.load(stream('http://169.254.169.254/latest/meta-data'))
      const { reason, error = '' } = await recorder.untilType('ended')
      assert.equal(reason, 'error')
      assert.match(error, /link-local/)
    })
  })

  test(`${name}: a closed output takes no more calls and leaves nothing behind`, async () => {
    const before = children()
    const output = await makeOutput()
    await output.load(file('sweep.wav'))
    await output.close()
    await assert.rejects(output.load(file('sweep.wav')))
    assert.deepEqual(children(), before)
  })
}

/** Processes that any thread of this one has started. */
const children = () =>
  readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
