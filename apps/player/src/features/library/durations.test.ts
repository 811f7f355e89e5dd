import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createCard } from '../../adapters/card-library.ts'
import type { FileStamp } from '../../ports/card.ts'
import { createDurationOf, type DurationCache } from './durations.ts'
import { tempCard } from './testing/temp-card.ts'

const MEDIA = path.join(import.meta.dirname, '../../adapters/testing/media')

// WAV at one byte a millisecond: its length is its duration.
const wav = (ms: number) => {
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt32LE(1_000, 28)
  head.write('data', 36)
  head.writeUInt32LE(ms, 40)
  return Buffer.concat([head, Buffer.alloc(ms)])
}

function setup(t: TestContext, options: { cache?: DurationCache; capacity?: number } = {}) {
  const { mount, at, put } = tempCard(t, '001.wav', '002.wav')
  writeFileSync(at('001.wav'), wav(100))
  writeFileSync(at('002.wav'), wav(200))
  const card = createCard(mount)
  const opened: string[] = []
  const durationOf = createDurationOf({
    card: {
      ...card,
      openFile: (file) => {
        opened.push(path.basename(file))
        return card.openFile(file)
      },
    },
    ...options,
  })
  return { at, put, opened, durationOf: (file: string) => durationOf(at(file)) }
}

for (const file of [
  'sweep-cbr-mono.mp3',
  'sweep-vbr-stereo.mp3',
  'sweep-id3.mp3',
  'sweep.wav',
  'sweep.flac',
  'sweep.ogg',
  'sweep.opus',
]) {
  test(`the headers of ${file} say three seconds to the millisecond`, async () => {
    const durationOf = createDurationOf({ card: createCard(MEDIA) })
    assert.equal(await durationOf(path.join(MEDIA, file)), 3_000)
  })
}

test('a file is read once, also when asked for twice at a time', async (t) => {
  const { durationOf, opened } = setup(t)
  assert.deepEqual(await Promise.all([durationOf('001.wav'), durationOf('001.wav')]), [100, 100])
  assert.equal(await durationOf('001.wav'), 100)
  assert.deepEqual(opened, ['001.wav'])
})

test('a file that has been written again is read again, of another size or of the same', async (t) => {
  const { durationOf, at } = setup(t)
  await durationOf('001.wav')
  writeFileSync(at('001.wav'), wav(300))
  assert.equal(await durationOf('001.wav'), 300)
  const other = wav(300)
  other.writeUInt32LE(2_000, 28)
  writeFileSync(at('001.wav'), other)
  utimesSync(at('001.wav'), 2_000_000, 2_000_000)
  assert.equal(await durationOf('001.wav'), 150)
})

test('the file asked for longest ago is forgotten first', async (t) => {
  const { durationOf, opened, put, at } = setup(t, { capacity: 2 })
  put('003.wav')
  writeFileSync(at('003.wav'), wav(300))
  for (const file of ['001.wav', '002.wav', '001.wav', '003.wav', '001.wav', '002.wav'])
    await durationOf(file)
  assert.deepEqual(opened, ['001.wav', '002.wav', '003.wav', '002.wav'])
})

test('what is stored is not read, and what is read is stored under its size and time', async (t) => {
  const stored: [FileStamp, number][] = []
  const { durationOf, opened, at } = setup(t, {
    cache: {
      get: ({ path }) => (path.endsWith('001.wav') ? 99 : undefined),
      set: (file, duration) => stored.push([file, duration]),
    },
  })
  utimesSync(at('002.wav'), 1_000_000, 1_000_000.5)
  assert.equal(await durationOf('001.wav'), 99)
  assert.equal(await durationOf('002.wav'), 200)
  assert.deepEqual(opened, ['002.wav'])
  const stamp = { path: at('002.wav'), size: 244, mtime_ms: 1_000_000_500 }
  assert.deepEqual(stored, [[stamp, 200]])
})

test('a file without a duration is remembered as such and not stored', async (t) => {
  const stored: number[] = []
  const { durationOf, opened, at } = setup(t, {
    cache: { get: () => undefined, set: (_, duration) => stored.push(duration) },
  })
  writeFileSync(at('001.wav'), 'not sound at all')
  assert.equal(await durationOf('001.wav'), undefined)
  assert.equal(await durationOf('001.wav'), undefined)
  assert.deepEqual(opened, ['001.wav'])
  assert.deepEqual(stored, [])
})

test('a missing file has no duration', async (t) => {
  const { durationOf } = setup(t)
  assert.equal(await durationOf('missing.wav'), undefined)
})

test('a file that could not be read is tried again', async (t) => {
  const { mount, at } = tempCard(t, '001.wav')
  writeFileSync(at('001.wav'), wav(100))
  const card = createCard(mount)
  let isBroken = true
  const durationOf = createDurationOf({
    card: {
      ...card,
      openFile: async (file) => {
        if (isBroken) throw new Error('EIO: i/o error')
        return card.openFile(file)
      },
    },
  })
  assert.equal(await durationOf(at('001.wav')), undefined)
  isBroken = false
  assert.equal(await durationOf(at('001.wav')), 100)
})
