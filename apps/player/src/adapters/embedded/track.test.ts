import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { mediaPath, sweepWav } from '../testing/media.ts'
import { near } from '../testing/recorder.ts'
import { isLost } from './byte-reader.ts'
import { joinPcm, type Pcm } from './pcm.ts'
import { openTrack, type Track } from './track.ts'

async function write(context: TestContext, name: string, ...parts: Uint8Array[]) {
  const folder = await mkdtemp(join(tmpdir(), 'track-'))
  context.after(() => rm(folder, { recursive: true }))
  const path = join(folder, name)
  await writeFile(path, Buffer.concat(parts))
  return path
}

async function open(context: TestContext, path: string) {
  const track = await openTrack(path)
  context.after(() => track.close())
  return track
}

async function decodeFrom(track: Track, frame: number): Promise<Float32Array> {
  await track.seek(frame)
  const parts: Pcm[] = []
  for (let pcm = await track.next(); pcm; pcm = await track.next()) parts.push(pcm)
  return joinPcm(parts).channels[0] ?? new Float32Array()
}

/** From anywhere the same samples come as when playing from the start. */
async function assertSeeksExactly(track: Track) {
  const whole = await decodeFrom(track, 0)
  for (const share of [0.9, 0.1, 0.5, 0.999, 0.3]) {
    const first = Math.floor(whole.length * share)
    const part = await decodeFrom(track, first)
    assert.equal(part.length, whole.length - first)
    const off = part.reduce(
      (most, x, i) => Math.max(most, Math.abs(x - (whole[first + i] ?? 0))),
      0,
    )
    assert.ok(off < 0.002, `from ${share} of it samples are off by ${off}`)
  }
  return whole.length
}

const media = (name: string) => readFileSync(mediaPath(name))

const fixtures: [name: string, frames: number][] = [
  ['sweep-cbr-mono.mp3', 132_300],
  ['sweep-vbr-stereo.mp3', 132_300],
  ['sweep-id3.mp3', 132_300],
  ['sweep.wav', 66_150],
  ['sweep.flac', 96_000],
  ['sweep.ogg', 132_300],
  ['sweep.opus', 144_000],
]

for (const [name, frames] of fixtures)
  test(`${name} has ${frames} frames and gives the same ones from anywhere`, async (context) => {
    const track = await open(context, mediaPath(name))
    assert.equal(track.frames, frames)
    assert.equal(await assertSeeksExactly(track), frames)
  })

// Without its first frame an MP3 says neither how long it is nor what to trim: 116 MPEG frames.
const untrimmed = 116 * 1152

test('an MP3 of constant rate without a header is measured by its size', async (context) => {
  const path = await write(context, 'a.mp3', media('sweep-cbr-mono.mp3').subarray(208))
  const track = await open(context, path)
  near(track.frames, untrimmed, 1152, 'frames')
  await assertSeeksExactly(track)
})

test('an MP3 of variable rate without a header is counted', async (context) => {
  const bytes = media('sweep-vbr-stereo.mp3')
  const path = await write(context, 'a.mp3', bytes.subarray(bytes.indexOf('Xing') + 200))
  const track = await open(context, path)
  near(track.frames, untrimmed, 2 * 1152, 'frames')
  await assertSeeksExactly(track)
})

test('tags before and after the sound are no part of it', async (context) => {
  const id3v2 = Buffer.alloc(10 + 300_000)
  id3v2.write('ID3\u0004', 'latin1')
  id3v2.set([(300_000 >> 14) & 127, (300_000 >> 7) & 127, 300_000 & 127], 7)
  // Sync bits inside a picture must not be taken for sound.
  id3v2.fill(Buffer.from([0xff, 0xfb, 0x90, 0x64]), 10)
  const id3v1 = Buffer.alloc(128)
  id3v1.write('TAG')
  const ape = apeTag(100_000)
  const sound = media('sweep-cbr-mono.mp3')
  for (const parts of [
    [id3v2, id3v2, sound, id3v1],
    [id3v2, ape, sound, ape, id3v1],
  ]) {
    const track = await open(context, await write(context, 'a.mp3', ...parts))
    assert.equal(track.frames, 132_300)
    assert.equal(await assertSeeksExactly(track), 132_300)
  }
})

test('a tag that claims to be longer than it is hides no sound, before or inside it', async (context) => {
  const tag = (claimed: number) => {
    const bytes = Buffer.alloc(2_000, noise)
    bytes.write('ID3\u0004\0\0', 'latin1')
    bytes.set(
      [21, 14, 7, 0].map((shift) => (claimed >>> shift) & 127),
      6,
    )
    return bytes
  }
  const sound = media('sweep-cbr-mono.mp3')
  for (const claimed of [12_000, 5_000_000]) {
    const track = await open(context, await write(context, 'a.mp3', tag(claimed), sound))
    assert.equal(await assertSeeksExactly(track), 132_300)
    const parts = [sound.subarray(208), tag(claimed), sound.subarray(208)]
    const joined = await open(context, await write(context, 'b.mp3', ...parts))
    near(await assertSeeksExactly(joined), 2 * untrimmed, 11 * 1152, 'frames')
  }
})

test('of a joined file all is heard, of one that was cut all that is there', async (context) => {
  const [constant, variable] = [media('sweep-cbr-mono.mp3'), media('sweep-vbr-stereo.mp3')]
  const joined = await open(context, await write(context, 'a.mp3', constant, constant))
  near(await assertSeeksExactly(joined), 2 * untrimmed, 3 * 1152, 'frames')
  const half = variable.subarray(0, variable.length / 2)
  const cut = await open(context, await write(context, 'b.mp3', half))
  near(await assertSeeksExactly(cut), cut.frames, 1152, 'frames')
})

test('a picture or other leftovers of 64 KiB and more before the sound are passed over', async (context) => {
  const sound = media('sweep-cbr-mono.mp3')
  for (const length of [64 * 1024, 3_000_000]) {
    const track = await open(
      context,
      await write(context, 'a.mp3', Buffer.alloc(length, noise), sound),
    )
    assert.equal(track.frames, 132_300)
  }
})

test('a tag behind the sound is not counted where the size alone tells the length', async (context) => {
  const sound = media('sweep-cbr-mono.mp3').subarray(208)
  const track = await open(context, await write(context, 'a.mp3', sound, apeTag(1_500)))
  near(track.frames, untrimmed, 1152, 'frames')
})

/** APEv2, with a head and a foot. */
function apeTag(length: number) {
  const edge = Buffer.alloc(32)
  edge.write('APETAGEX')
  edge.writeUInt32LE(2000, 8)
  edge.writeUInt32LE(length + 32, 12)
  edge.writeUInt32LE(0xa0000000, 20)
  const foot = Buffer.from(edge)
  foot.writeUInt32LE(0x80000000, 20)
  return Buffer.concat([edge, Buffer.alloc(length, 1), foot])
}

test('a copy that was cut short is as long as what is there', async (context) => {
  for (const name of ['sweep-cbr-mono.mp3', 'sweep-vbr-stereo.mp3']) {
    const bytes = media(name)
    const track = await open(
      context,
      await write(context, name, bytes.subarray(0, bytes.length / 2)),
    )
    near(track.frames / track.rate, 1.5, 0.3, `length of half of ${name}`)
    near((await decodeFrom(track, 0)).length, track.frames, 0.3 * track.rate, 'decoded')
  }
})

test("Fraunhofer's header gives length and places", async (context) => {
  const sound = media('sweep-cbr-mono.mp3').subarray(208)
  const header = Buffer.alloc(208)
  sound.copy(header, 0, 0, 4)
  header.write('VBRI', 36)
  header.writeUInt32BE(sound.length + 208, 46)
  header.writeUInt32BE(116, 50)
  header.writeUInt16BE(0, 54)
  const track = await open(context, await write(context, 'a.mp3', header, sound))
  assert.equal(track.frames, untrimmed)
  await assertSeeksExactly(track)
})

test('damage in the middle costs what was damaged and no more', async (context) => {
  for (const [name] of fixtures) {
    const bytes = Buffer.from(media(name))
    const middle = Math.floor(bytes.length / 2)
    bytes.fill(0, middle, middle + 600)
    const track = await open(context, await write(context, name, bytes))
    const heard = await decodeFrom(track, 0)
    assert.ok(heard.length > track.frames * 0.6, `${heard.length} of ${track.frames} of ${name}`)
  }
})

test('damage that breaks the Opus decoder costs its page, and what follows is heard', async (context) => {
  for (const from of [11_200, 17_800]) {
    const bytes = Buffer.from(media('sweep.opus'))
    noise.copy(bytes, from, from, from + 200)
    const track = await open(context, await write(context, 'a.opus', bytes))
    const { length } = await decodeFrom(track, 0)
    assert.ok(length >= 95_000, `${length} of ${track.frames}`)
    await track.seek(0)
  }
})

test('what it is called does not matter', async (context) => {
  const track = await open(context, await write(context, '001.mp3', media('sweep.opus')))
  assert.equal(track.rate, 48_000)
})

const noise = Buffer.from(
  Array.from({ length: 100_000 }, (_, i) => (i * i * 7919 + i * 104_729) >> 3),
)
const strange: [what: string, bytes: Buffer, reason: RegExp][] = [
  ['an empty file', Buffer.alloc(0), /not a sound file/],
  ['text', Buffer.from('the quick brown fox '.repeat(1000)), /not a sound file/],
  ['noise', noise, /not a sound file/],
  ['MP4', Buffer.from('\0\0\0\x20ftypM4A \0\0\0\0', 'latin1'), /MP4 and AAC are not supported/],
  ['AAC', Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0, 0]), /AAC is not supported/],
  ['a playlist', Buffer.from('#EXTM3U\nhttp://radio.example/\n'), /playlist/],
  ['a WAV file of a strange coding', strangeWav(), /not supported/],
  ['a WAV file without sound', sweepWav(8000, 0).subarray(0, 36), /no sound in it/],
]

for (const [what, bytes, reason] of strange)
  test(`${what} is refused with a reason`, async (context) => {
    await assert.rejects(openTrack(await write(context, 'a.mp3', bytes)), reason)
  })

function strangeWav() {
  const file = sweepWav(8000, 0.1)
  file.writeUInt16LE(2, 20)
  return file
}

test('a folder is refused', async () => {
  await assert.rejects(openTrack(tmpdir()), /is not a file/)
})

test('a file that becomes shorter while it is read is lost', async (context) => {
  const path = await write(context, 'a.wav', sweepWav(8000, 10))
  const track = await open(context, path)
  await track.seek(0)
  assert.ok(await track.next())
  await truncate(path, 50_000)
  await assert.rejects(decodeFrom(track, 20_000), isLost)
})
