import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDuration } from './read-duration.ts'

const MEBIBYTE = 1_048_576

/** Also says how much was read, since a recitation may be hundreds of megabytes long. */
async function durationOf(...parts: (Buffer | string)[]) {
  const file = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))
  let bytesRead = 0
  const read = async (offset: number, length: number) => {
    const bytes = file.subarray(offset, offset + length)
    bytesRead += bytes.length
    return bytes
  }
  return { ms: await readDuration({ size: file.length, read }), bytesRead }
}

const u32be = (value: number) => Buffer.from(Uint32Array.of(value).buffer).reverse()
const u32le = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const zeros = (length: number) => Buffer.alloc(length)

function id3(length: number, claimed = length): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (claimed >>> shift) & 0x7f)
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), Buffer.from(size), zeros(length)])
}

// MPEG 1 layer III, 44.1 kHz stereo: the third byte holds the bit rate, 9 for 128 and b for 192.
function frame(bitRate: 9 | 11, content: Buffer = zeros(0)): Buffer {
  const whole = zeros(bitRate === 9 ? 417 : 626)
  whole.writeUInt32BE(0xfffb0000 + (bitRate << 12))
  content.copy(whole, 4 + 32)
  return whole
}
const frames = (count: number, bitRate: 9 | 11 = 9) =>
  Buffer.concat(Array.from({ length: count }, () => frame(bitRate)))

const xing = (tag: 'Xing' | 'Info', count: number, lame = zeros(0)) =>
  frame(9, Buffer.concat([Buffer.from(tag), u32be(1), u32be(count), lame]))

test('MP3 of constant bit rate: by size, without the tags at both ends', async () => {
  const sound = frames(383)
  const ms = Math.round((sound.length * 8) / 128)
  assert.equal((await durationOf(sound)).ms, ms)
  assert.equal((await durationOf(id3(3 * MEBIBYTE), sound, 'TAG', zeros(125))).ms, ms)
  assert.equal((await durationOf(id3(100), id3(100), sound)).ms, ms)
})

test('MP3 whose tag claims to be longer than it is: by all its frames', async () => {
  const sound = frames(383)
  const ms = Math.round((sound.length * 8) / 128)
  for (const claimed of [1_000, 100 + 50 * 417, 100 + sound.length, 200 * MEBIBYTE])
    assert.equal((await durationOf(id3(100, claimed), sound)).ms, ms, `${claimed}`)
  assert.equal((await durationOf(id3(20), id3(100, 60_000), sound)).ms, ms, 'behind another')
})

test('MP3 with padding between its tag and its first frame', async () => {
  const sound = frames(100)
  const ms = Math.round((sound.length * 8) / 128)
  assert.equal((await durationOf(id3(10), zeros(2_000), sound)).ms, ms)
  assert.equal((await durationOf(zeros(64 * 1024), sound)).ms, ms)
  assert.equal((await durationOf(zeros(8 * MEBIBYTE), sound)).ms, undefined, 'as far as 4 MiB')
})

test('MP3 with a Xing or Info frame: by its count', async () => {
  for (const tag of ['Xing', 'Info'] as const)
    assert.equal((await durationOf(xing(tag, 1_000), frames(50, 11))).ms, 26_122)
})

test('MP3 joined of several: the count of the first is not that of all', async () => {
  const first = frame(9, Buffer.concat([Buffer.from('Info'), u32be(3), u32be(100), u32be(41_700)]))
  const all = [first, frames(100), id3(50), first, frames(100)]
  const ms = Math.round(((201 * 417 + 60) * 8) / 128)
  assert.equal((await durationOf(...all)).ms, ms)
})

test('MP3 by LAME: without the delay and padding that are not heard', async () => {
  const lame = Buffer.concat([Buffer.from('LAME3.100'), zeros(12), Buffer.from([0x24, 0x04, 0x80])])
  // 1000 frames less 576 + 1152 samples.
  assert.equal((await durationOf(xing('Info', 1_000, lame), frames(50))).ms, 26_083)
})

test('MP3 with a VBRI frame: by its count', async () => {
  const vbri = Buffer.concat([Buffer.from('VBRI'), zeros(10), u32be(2_000), zeros(10)])
  assert.equal((await durationOf(frame(9, vbri), frames(50, 11))).ms, 52_245)
})

test('MP3 with a VBRI frame whose table is damaged: by its count all the same', async () => {
  for (const width of [7, 8, 40, 65_535]) {
    const table = zeros(10)
    table.writeUInt16BE(5, 0)
    table.writeUInt16BE(width, 4)
    const vbri = Buffer.concat([Buffer.from('VBRI'), zeros(10), u32be(2_000), table])
    assert.equal((await durationOf(frame(9, vbri), frames(50, 11))).ms, 52_245, `${width}`)
  }
})

test('MP3 whose bit rate varies and that does not say how long it is has no duration', async () => {
  assert.equal((await durationOf(frames(20), frames(200, 11))).ms, undefined)
  const isSameInTheMiddle = [frames(70), frames(40, 11), frames(90), frames(40, 11), frames(70)]
  assert.equal((await durationOf(...isSameInTheMiddle)).ms, undefined)
})

function wav(length: number, before: Buffer | string = '') {
  const format = Buffer.concat([u32le(16), zeros(8), u32le(176_400), zeros(4)])
  return Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVE'),
    Buffer.from(before),
    Buffer.from('fmt '),
    format,
    Buffer.from('data'),
    u32le(length),
  ])
}

test('WAV: by its data chunk, wherever it lies', async () => {
  const sound = zeros(176_400)
  assert.equal((await durationOf(wav(sound.length), sound)).ms, 1_000)
  const list = Buffer.concat([Buffer.from('LIST'), u32le(3), zeros(4)])
  assert.equal((await durationOf(wav(sound.length, list), sound, 'LIST\x04\0\0\0abcd')).ms, 1_000)
})

test('WAV whose length was never filled in: by the size of the file', async () => {
  for (const length of [0, 0xffffffff])
    assert.equal((await durationOf(wav(length), zeros(88_200))).ms, 500)
})

test('FLAC: by STREAMINFO, also behind an ID3 tag and beyond 32 bits of samples', async () => {
  const streaminfo = (samples: bigint) => {
    const block = zeros(34)
    block.writeBigUInt64BE((48_000n << 44n) | (1n << 41n) | (15n << 36n) | samples, 10)
    return Buffer.concat([Buffer.from('fLaC\0\0\0\x22', 'latin1'), block])
  }
  assert.equal((await durationOf(streaminfo(72_000n))).ms, 1_500)
  assert.equal((await durationOf(id3(500), streaminfo(72_000n))).ms, 1_500)
  assert.equal((await durationOf(streaminfo(48_000n * 100_000n))).ms, 100_000_000)
  assert.equal((await durationOf(streaminfo(0n))).ms, undefined)
})

function page(serial: number, granule: bigint, packet: Buffer): Buffer {
  const head = zeros(28)
  head.write('OggS')
  head.writeBigInt64LE(granule, 6)
  head.writeUInt32LE(serial, 14)
  head.writeUInt8(1, 26)
  head.writeUInt8(Math.min(255, packet.length), 27)
  return Buffer.concat([head, packet])
}
const opusHead = Buffer.concat([Buffer.from('OpusHead\x01\x02'), Buffer.from([0x38, 1]), zeros(7)])
const vorbisHead = Buffer.concat([Buffer.from('\x01vorbis'), zeros(5), u32le(44_100), zeros(14)])

test('Ogg: by the last granule of its stream, Opus without its lead-in', async () => {
  const end = page(7, 88_200n, zeros(100))
  assert.equal((await durationOf(page(7, 0n, vorbisHead), end)).ms, 2_000)
  const opusEnd = page(7, 96_312n, zeros(100))
  assert.equal((await durationOf(page(7, 0n, opusHead), opusEnd)).ms, 2_000)
  const unfinished = page(7, -1n, zeros(100))
  assert.equal((await durationOf(page(7, 0n, vorbisHead), end, unfinished)).ms, 2_000)
})

test('Ogg: a granule that no recording has is damage, and the one before it counts', async () => {
  const [head, end] = [page(7, 0n, vorbisHead), page(7, 88_200n, zeros(100))]
  for (const granule of [2n ** 62n, 2n ** 44n]) {
    const damaged = page(7, granule, zeros(100))
    assert.equal((await durationOf(head, end, damaged)).ms, 2_000)
    assert.equal((await durationOf(head, damaged)).ms, undefined)
  }
})

test('Ogg that ends with another stream has no duration', async () => {
  const chained = [page(7, 0n, vorbisHead), page(7, 88_200n, zeros(9)), page(8, 44_100n, zeros(9))]
  assert.equal((await durationOf(...chained)).ms, undefined)
})

test('what is no sound has no duration, and a file cut short anywhere does not throw', async () => {
  for (const nothing of [
    '',
    'ID3',
    'text',
    'OggS',
    'fLaC',
    'RIFF\0\0\0\0WAVE',
    '\xff'.repeat(9_000),
  ])
    assert.equal((await durationOf(nothing)).ms, undefined)
  const wholes = [
    Buffer.concat([id3(20), xing('Xing', 9), frames(3)]),
    Buffer.concat([frame(9, Buffer.from('VBRI')), frames(2)]),
    Buffer.concat([page(7, 0n, opusHead), page(7, 9n, zeros(9))]),
    wav(10),
    Buffer.concat([Buffer.from('fLaC'), zeros(30)]),
  ]
  for (const whole of wholes)
    for (let length = 0; length < whole.length; length += 1)
      await durationOf(whole.subarray(0, length))
})

test('of a long file only a little is read', async () => {
  const rest = zeros(8 * MEBIBYTE)
  const files = [
    [xing('Xing', 1_000), frames(50), rest],
    [frames(20_000)],
    [wav(rest.length), rest],
    [page(7, 0n, opusHead), rest, page(7, 96_312n, zeros(100))],
  ]
  for (const file of files) {
    const { ms, bytesRead } = await durationOf(...file)
    assert.ok(ms && ms > 1_000)
    assert.ok(bytesRead < 70_000, `${bytesRead} bytes`)
  }
})
