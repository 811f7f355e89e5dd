import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { NoDevice } from '../ports/audio-output.ts'
import { serve } from '../testing/local-server.ts'
import { audioDeviceContract } from './audio-device.contract.ts'
import { audioContract } from './audio-output.contract.ts'
import { createAudioOutput } from './audio-output.ts'
import { createMpvAudio, type MpvOptions } from './mpv-audio.ts'
import { openMpvDevice } from './testing/devices.ts'
import { mediaPath, sweepWav } from './testing/media.ts'
import { startRadio } from './testing/radio-server.ts'
import { atLeast, near, paceFrom, record, untilPosition } from './testing/recorder.ts'
import { wedgedMpv } from './testing/wedged-mpv.ts'

const timings = { connect_ms: 2000, stall_ms: 2000, backoff_ms: [50, 100] }

audioContract('mpv', () => createMpvAudio({ ao: 'null', timings }))

audioDeviceContract('mpv', openMpvDevice)

async function folderFor(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'audio-'))
  context.after(() => rm(folder, { recursive: true }))
  return folder
}

async function open(context: TestContext, options: MpvOptions = {}) {
  const output = await createMpvAudio({ ao: 'null', timings, ...options })
  context.after(() => output.close())
  return { output, recorder: record(output) }
}

async function longFile(context: TestContext) {
  const path = join(await folderFor(context), 'long.wav')
  await writeFile(path, sweepWav(8000, 20))
  return { kind: 'file' as const, path }
}

/** What mpv tells of a file that sounds for a second and then stands still. */
const STOOD_STILL = [
  { event: 'start-file', playlist_entry_id: 1 },
  { event: 'playback-restart' },
  { event: 'property-change', name: 'time-pos', data: 1 },
]

test('an mpv that answers and loads nothing gives way to another, which plays the file', async (context) => {
  const command = await wedgedMpv(await folderFor(context), [])
  const { output } = await open(context, { command, load_ms: 5_000 })
  const deaf = output.pid()
  await output.load(await longFile(context))
  assert.equal(output.snapshot().state, 'playing')
  assert.notEqual(output.pid(), deaf)
})

test('a file that stands still since nothing more can be read of it is lost, and the next one plays', async (context) => {
  const command = await wedgedMpv(await folderFor(context), STOOD_STILL)
  const { output, recorder } = await open(context, { command, still_ms: 2_000 })
  await output.load(await longFile(context))
  const { reason, error } = await recorder.untilType('ended')
  assert.deepEqual([reason, /the card does not answer/.test(error ?? '')], ['lost', true])
  await output.load(await longFile(context))
  await recorder.untilState('playing')
})

test('a device that takes nothing is opened anew, and where it still does not nobody is told that something plays', async (context) => {
  const wedge = { known: { 'demuxer-cache-duration': 5 }, isFinal: true }
  const command = await wedgedMpv(await folderFor(context), STOOD_STILL, wedge)
  const { output, recorder } = await open(context, { command, still_ms: 2_000 })
  const first = output.pid()
  await output.load(await longFile(context))
  const { reason, error } = await recorder.untilType('ended')
  assert.deepEqual([reason, /no sound device/.test(error ?? '')], ['lost', true])
  assert.equal(output.snapshot().state, 'stopped')
  assert.notEqual(output.pid(), first)
})

const PLAYS = { event: 'property-change', name: 'core-idle', data: false }
const STARVES = { event: 'property-change', name: 'paused-for-cache', data: true }

for (const [when, starved] of [
  ['', undefined],
  [', also not after it had sent nothing for a while', [STARVES, PLAYS]],
] as const)
  test(`a station is not told to play either while the device takes nothing${when}`, async (context) => {
    const radio = await startRadio()
    context.after(() => radio.close())
    const wedge = {
      ...{ known: { 'demuxer-cache-duration': 5 }, isFinal: true },
      ...(starved && { starved: [...starved] }),
    }
    const events = [
      ...STOOD_STILL.slice(0, 2),
      PLAYS,
      { event: 'property-change', name: 'time-pos', data: 0.2 },
    ]
    const command = await wedgedMpv(await folderFor(context), events, wedge)
    const { output, recorder } = await open(context, { command, still_ms: 500 })
    await output.load({ kind: 'stream', url: radio.url })
    await recorder.untilState('playing')
    const { reason, error } = await recorder.untilType('ended')
    assert.deepEqual([reason, /no sound device/.test(error ?? '')], ['lost', true])
    assert.equal(output.snapshot().state, 'stopped')
  })

test('mpv: a station that drips after it was heard is connected anew, and plays on', async (context) => {
  const radio = await startRadio()
  context.after(() => radio.close())
  const { output, recorder } = await open(context, { timings: { ...timings, undecoded_ms: 1000 } })
  await output.load({ kind: 'stream', url: radio.url })
  await recorder.untilState('playing')
  radio.drip()
  await recorder.untilState('buffering')
  // A busy machine runs dry of what had come before the drip, too.
  assert.ok((await atLeast(2, radio.connections)) >= 2)
  await recorder.untilState('playing')
})

describe('mpv: kept alive', () => {
  test('without a device a load is refused, and that is not the fault of the file', async (context) => {
    const { output } = await open(context, { ao: 'alsa', device: 'hw:99' })
    await assert.rejects(output.load(await longFile(context)), NoDevice)
  })

  test('killed, it plays on from the same position', async (context) => {
    const { output, recorder } = await open(context)
    await output.load(await longFile(context), { position_ms: 5000 })
    await recorder.untilState('playing')
    const before = await untilPosition(output, 5300)
    const dead = output.pid()
    const pace = paceFrom(before)
    process.kill(dead, 'SIGKILL')
    await recorder.untilState('buffering')
    await recorder.untilState('playing')
    pace(output.snapshot().position_ms, 'position')
    assert.notEqual(output.pid(), dead)
    pace(await untilPosition(output, before + 500), 'position later')
    assert.ok(!recorder.story().includes('ended lost'))
  })

  test('killed while paused, it stays paused at the same position', async (context) => {
    const { output, recorder } = await open(context)
    await output.setVolume(40)
    await output.load(await longFile(context), { position_ms: 5000, paused: true })
    process.kill(output.pid(), 'SIGKILL')
    await output.seek(7000)
    assert.equal(output.snapshot().state, 'paused')
    near(output.snapshot().position_ms, 7000, 50, 'position')
    const pace = paceFrom(7000)
    await output.resume()
    pace(await untilPosition(output, 7200), 'position when it goes on')
    assert.equal(output.snapshot().volume, 40)
    assert.deepEqual(recorder.story(), ['paused', 'playing'])
  })

  test('killed while a stream plays, the stream comes back', async (context) => {
    const radio = await startRadio()
    context.after(() => radio.close())
    const { output, recorder } = await open(context)
    await output.load({ kind: 'stream', url: radio.url })
    await recorder.untilState('playing')
    process.kill(output.pid(), 'SIGKILL')
    await recorder.untilState('buffering')
    await recorder.untilState('playing')
  })

  test('stopped in its tracks, it is noticed and replaced', async (context) => {
    const { output, recorder } = await open(context, { watch: { ping_ms: 50, patience_ms: 1500 } })
    await output.load(await longFile(context), { position_ms: 5000 })
    await recorder.untilState('playing')
    const stuck = output.pid()
    process.kill(stuck, 'SIGSTOP')
    await recorder.untilState('buffering')
    await recorder.untilState('playing')
    assert.notEqual(output.pid(), stuck)
    assert.throws(() => process.kill(stuck, 0), { code: 'ESRCH' })
  })

  test('when it cannot be restarted the source is lost, and the next load is told why', async (context) => {
    const folder = await folderFor(context)
    const [program, once] = [join(folder, 'mpv'), join(folder, 'started')]
    await writeFile(
      program,
      `#!/bin/sh\nif [ -e ${once} ]; then exit 3; fi\ntouch ${once}\nexec mpv "$@"\n`,
      { mode: 0o755 },
    )
    const { output, recorder } = await open(context, { command: program })
    const file = await longFile(context)
    await output.load(file)
    process.kill(output.pid(), 'SIGKILL')
    const { reason, error = '' } = await recorder.untilType('ended')
    assert.equal(reason, 'lost')
    assert.match(error, /could not be restarted/)
    await assert.rejects(output.load(file), /could not be started: exit code 3/)
    await rm(once)
    await output.load(file)
    assert.equal(output.snapshot().state, 'playing')
  })

  test('an mpv that does not start is refused', async () => {
    await assert.rejects(createMpvAudio({ command: '/bin/false' }), /could not be started/)
  })

  test('a device that cannot be opened is told, not taken for playing', async (context) => {
    const { output } = await open(context, { ao: 'alsa' })
    const load = output.load({ kind: 'file', path: mediaPath('sweep.wav') })
    // A machine with a sound card plays; one without must say so.
    const { state } = await load.then(output.snapshot, (error) => {
      assert.match(error.message, /sound device|audio/)
      return output.snapshot()
    })
    assert.equal(state, output.sink === 'alsa' && state === 'playing' ? 'playing' : 'stopped')
  })
})

// ALSA's null device needs no sound card; it takes sound as fast as it comes.
test('mpv: an output that goes away is waited for, and what played goes on', async (context) => {
  const { output, recorder } = await open(context, { ao: 'alsa', device: 'null' })
  const path = join(await folderFor(context), 'long.wav')
  await writeFile(path, sweepWav(8000, 3000))
  await output.load({ kind: 'file', path })
  const before = output.snapshot().position_ms
  await output.useOutput('alsa:plughw:CARD=Gone,DEV=0')
  await recorder.untilState('buffering')
  await output.useOutput('alsa:null')
  await recorder.untilState('playing')
  assert.ok(output.snapshot().position_ms >= before)
  assert.ok(!recorder.story().some((event) => event.startsWith('ended')))
})

async function serveFiles(context: TestContext, files: Record<string, string | Buffer>) {
  const requests: { path: string; agent: string }[] = []
  const url = await serve(context, (request, response) => {
    const path = request.url ?? ''
    requests.push({ path, agent: request.headers['user-agent'] ?? '' })
    const content = files[path]
    if (content === undefined) response.writeHead(404).end()
    else response.writeHead(200).end(content)
  })
  return { url, requests }
}

describe('mpv: fetches nothing by itself', () => {
  test('HLS plays, and every part of it comes through the guarded fetch', async (context) => {
    const sound = readFileSync(mediaPath('sweep-cbr-mono.mp3')).subarray(208)
    const files: Record<string, string | Buffer> = {
      '/master.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nlow/index.m3u8\n',
      '/low/index.m3u8':
        '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n' +
        '#EXTINF:1,\n0.mp3\n#EXTINF:1,\n1.mp3\n#EXTINF:1,\n2.mp3\n',
    }
    for (const part of [0, 1, 2])
      files[`/low/${part}.mp3`] = sound.subarray(part * 8000, (part + 1) * 8000)
    const { url, requests } = await serveFiles(context, files)
    const { output, recorder } = await open(context)
    await output.load({ kind: 'stream', url: `${url}/master.m3u8` })
    await recorder.untilState('playing')
    await untilPosition(output, 500)
    const lasts = () => requests.filter(({ path }) => path === '/low/2.mp3').length
    assert.ok((await atLeast(1, lasts)) > 0)
    assert.deepEqual(new Set(requests.map(({ agent }) => agent)), new Set(['Manara']))
    assert.equal(output.snapshot().duration_ms, 0)
  })

  test('a file that names addresses is not followed', async (context) => {
    const { url, requests } = await serveFiles(context, {})
    const folder = await folderFor(context)
    const { output } = await open(context)
    const lures: Record<string, string> = {
      'hls.mp3': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}/seg.ts\n#EXT-X-ENDLIST\n`,
      'list.m3u': `${url}/sound.mp3\n`,
      'list.pls': `[playlist]\nFile1=${url}/sound.mp3\n`,
      'concat.ffconcat': `ffconcat version 1.0\nfile ${url}/sound.mp3\n`,
      'edl.edl': `# mpv EDL v0\n${url}/sound.mp3\n`,
    }
    for (const [name, content] of Object.entries(lures)) {
      await writeFile(join(folder, name), content)
      await assert.rejects(output.load({ kind: 'file', path: join(folder, name) }), name)
    }
    assert.deepEqual(requests, [])
  })

  test('a page that is no sound is an error, not a wait without end', async (context) => {
    const { url } = await serveFiles(context, { '/': '<html>'.repeat(20_000) })
    const { output, recorder } = await open(context)
    await output.load({ kind: 'stream', url: `${url}/` })
    assert.equal((await recorder.untilType('ended')).reason, 'error')
  })
})

test('mpv: auto takes it where it is installed', async () => {
  const { output, fallbacks } = await createAudioOutput({ engine: 'auto', sink: 'null' })
  await output.close()
  assert.equal(output.engine, 'mpv')
  assert.deepEqual(fallbacks, [])
})
