import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serve } from '../testing/local-server.ts'
import { type MakeOutput, openOutput } from './testing/open-output.ts'
import { startRadio } from './testing/radio-server.ts'
import { untilPosition } from './testing/recorder.ts'

const stream = (url: string) => ({ kind: 'stream' as const, url })

/** How every engine plays stations; `makeOutput` as for `audioContract`. */
export function audioStreamsContract(name: string, makeOutput: MakeOutput) {
  describe(`${name}: streams`, () => {
    test('a stream buffers, then plays, and tells its title', async (context) => {
      const radio = await startRadio({ title: 'سورة البقرة' })
      context.after(() => radio.close())
      const { output, recorder } = await openOutput(context, makeOutput)
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
      const { output, recorder } = await openOutput(context, makeOutput)
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
      const { output, recorder } = await openOutput(context, makeOutput)
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
      const url = await serve(context, (_request, response) => response.writeHead(404).end())
      const { output, recorder } = await openOutput(context, makeOutput)
      await output.load(stream(url))
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
        const url = await serve(context, (_request, response) => {
          requests += 1
          response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(body)
        })
        const { output, recorder } = await openOutput(context, makeOutput)
        await output.load(stream(url))
        const { reason, error = '' } = await recorder.untilType('ended')
        assert.equal(reason, 'error')
        assert.notEqual(error, '')
        assert.ok(requests >= 2 && requests <= 6, `${requests} requests`)
        assert.equal(output.snapshot().state, 'stopped')
      })

    test('a station that answers and sends nothing is tried until it sounds', async (context) => {
      const radio = await startRadio()
      context.after(() => radio.close())
      let requests = 0
      const url = await serve(context, (_request, response) => {
        requests += 1
        if (requests > 12) response.writeHead(302, { location: radio.url }).end()
        else response.writeHead(200, { 'content-type': 'audio/mpeg' }).end()
      })
      const { output, recorder } = await openOutput(context, makeOutput)
      await output.load(stream(url))
      await recorder.untilState('playing')
      assert.ok(!recorder.story().some((event) => event.startsWith('ended')))
    })

    test('a playlist whose first entry is no sound plays the second', async (context) => {
      const radio = await startRadio()
      context.after(() => radio.close())
      const url = await serve(context, (request, response) => {
        if (request.url === '/page') response.writeHead(200).end('<html>'.repeat(20_000))
        else
          response
            .writeHead(200, { 'content-type': 'audio/x-mpegurl' })
            .end(`/page\n${radio.url}\n`)
      })
      const { output, recorder } = await openOutput(context, makeOutput)
      await output.load(stream(`${url}/list`))
      await recorder.untilState('playing')
    })

    test('an address that is refused is an error', async (context) => {
      const { output, recorder } = await openOutput(context, makeOutput)
      await output.load(stream('http://169.254.169.254/latest/meta-data'))
      const { reason, error = '' } = await recorder.untilType('ended')
      assert.equal(reason, 'error')
      assert.match(error, /link-local/)
    })
  })
}
