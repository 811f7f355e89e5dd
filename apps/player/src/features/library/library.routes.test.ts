import assert from 'node:assert/strict'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { wavFile } from '../../adapters/testing/media.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

test('GET /library/reciters lists who is on the card', async (t) => {
  const { get } = await playerFixture(t)
  assert.deepEqual((await get('/library/reciters')).json(), {
    reciters: [
      {
        name: 'Husary',
        name_ar: 'محمود خليل الحصري',
        path: 'Husary',
        surah_count: 3,
        complete: false,
      },
    ],
  })
})

test('GET /library/surahs answers 114 slots with names', async (t) => {
  const { get } = await playerFixture(t)
  const body = (await get('/library/surahs?reciter=Husary')).json()
  assert.equal(body.reciter, 'Husary')
  assert.equal(body.count, 3)
  assert.equal(body.available.length, 114)
  assert.deepEqual([body.available[0], body.available[2], body.available[113]], [true, false, true])
  assert.equal(body.surahs.length, 114)
  assert.deepEqual(body.surahs[1], {
    number: 2,
    name: 'Al-Baqarah',
    name_ar: 'البقرة',
    ayahs: 286,
    revelation: 'medinan',
    available: true,
    path: 'Husary/002.mp3',
  })
})

test('GET /library/surahs without, with an empty and with an unknown reciter', async (t) => {
  const { get } = await playerFixture(t)
  for (const [query, status, error] of [
    ['', 400, /^reciter: is required/],
    ['?reciter=', 400, /^reciter:/],
    ['?reciter=Nobody', 404, /Nobody not found/],
  ] as const) {
    const reply = await get(`/library/surahs${query}`)
    assert.equal(reply.statusCode, status)
    assert.match(reply.json().error, error)
  }
})

test('GET /library/status tells the last scan in Unix seconds, as other times', async (t) => {
  const { get, wall } = await playerFixture(t)
  const { last_scan_at } = (await get('/library/status')).json()
  assert.equal(last_scan_at, Math.floor(wall.now() / 1000))
})

test('POST /library/rescan finds what was added and tells everyone', async (t) => {
  const { get, next, post, putFile } = await playerFixture(t)
  const told = next('library')
  putFile('Minshawi/036.mp3')
  const reply = (await post('/library/rescan')).json()
  assert.deepEqual([reply.success, reply.reciter_count, reply.file_count], [true, 2, 4])
  await told
  assert.equal((await get('/library/status')).json().card_present, true)
})

test('POST /library/rescan that finds nothing new tells everyone that it has looked', async (t) => {
  const { post, seen } = await playerFixture(t)
  seen.length = 0
  const { success: _, ...status } = (await post('/library/rescan')).json()
  const told = seen.filter(({ event }) => event === 'library')
  assert.deepEqual(told, [{ event: 'library', data: status }])
})

test('a folder that begins with a space is a reciter like any other, and its favorites count', async (t) => {
  const { get, post } = await playerFixture(t, { files: [' Minshawi/036.mp3'] })
  const [{ name, path }] = (await get('/library/reciters')).json().reciters
  assert.deepEqual([name, path], ['Minshawi', ' Minshawi'])
  const favorite = (await post('/favorites', { type: 'surah', reciter: name, surah: 36 })).json()
  assert.equal(
    (await post('/playback/queue', { type: 'favorite', id: favorite.id })).statusCode,
    200,
  )
  assert.equal((await get('/favorites')).json().favorites[0].play_count, 1)
})

test('one damaged recording does not take the list of its reciter with it', async (t) => {
  const { cardDir, db, get } = await playerFixture(t)
  const file = path.join(cardDir, 'Husary/002.mp3')
  writeFileSync(file, endlessOgg())
  const { size, mtimeMs } = statSync(file)
  // As a version kept it that believed the file.
  db.prepare('INSERT INTO durations VALUES (?, ?, ?, ?)').run(
    ...[file, size, Math.trunc(mtimeMs), 2n ** 60n],
  )
  const reply = await get('/library/surahs?reciter=Husary')
  assert.equal(reply.statusCode, 200, reply.body)
  assert.equal(reply.json().surahs[1].duration, undefined)
})

/** Its last page says that it is three million years long. */
function endlessOgg(): Buffer {
  const page = (granule: bigint, packet: Buffer) => {
    const head = Buffer.alloc(28)
    head.write('OggS')
    head.writeBigInt64LE(granule, 6)
    head.writeUInt8(1, 26)
    head.writeUInt8(packet.length, 27)
    return Buffer.concat([head, packet])
  }
  const opus = Buffer.concat([Buffer.from('OpusHead\x01\x02'), Buffer.alloc(9)])
  return Buffer.concat([page(0n, opus), page(2n ** 62n, Buffer.alloc(100))])
}

test('GET /library/status says what lies on the card and cannot be decoded', async (t) => {
  const files = ['Husary/001.mp3', 'Husary/002.m4a', 'Minshawi/003.AAC', 'Minshawi/cover.jpg']
  const { get } = await playerFixture(t, { files })
  const { file_count, not_decoded } = (await get('/library/status')).json()
  assert.deepEqual([file_count, not_decoded], [1, { files: 2, kinds: ['aac', 'm4a'] }])
  const whole = await playerFixture(t)
  assert.equal((await whole.get('/library/status')).json().not_decoded, undefined)
})

test('a folder of verse files is a reciter, with the surahs of which every verse is there', async (t) => {
  const verses = [1, 2, 3, 4, 5]
  const { get, post } = await playerFixture(t, {
    files: [
      ...verses.map((verse) => `Basfar/11100${verse}.mp3`),
      ...verses.slice(1).map((verse) => `Basfar/11300${verse}.mp3`),
      ...verses.map((verse) => `Alafasy/111/${verse}.mp3`),
      'Husary/111.mp3',
      ...verses.map((verse) => `Husary/11100${verse}.mp3`),
    ],
  })
  const { reciters } = (await get('/library/reciters')).json()
  assert.deepEqual(
    reciters.map(({ path, surah_count }: Record<string, unknown>) => [path, surah_count]),
    [
      ['Alafasy', 1],
      ['Basfar', 1],
      ['Husary', 1],
    ],
  )
  const surahOf = async (reciter: string) => {
    const { surahs } = (await get(`/library/surahs?reciter=${reciter}`)).json()
    const { available, path, by_verse } = surahs[110]
    return [available, path, by_verse]
  }
  assert.deepEqual(await surahOf('Basfar'), [true, 'Basfar/111001.mp3', true])
  assert.deepEqual(await surahOf('Alafasy'), [true, 'Alafasy/111/1.mp3', true])
  assert.deepEqual(await surahOf('Husary'), [true, 'Husary/111.mp3', undefined])
  const favorite = await post('/favorites', { type: 'surah', reciter: 'Basfar', surah: 111 })
  assert.equal(favorite.statusCode, 200, favorite.body)
})

test('on a full disk the lengths of files are told and nothing else is harmed', async (t) => {
  const { cardDir, clock, db, get, post } = await playerFixture(t, { files: [] })
  const sound = wavFile(8_000, 16_000, () => [0, 0])
  mkdirSync(path.join(cardDir, 'Husary'))
  writeFileSync(path.join(cardDir, 'Husary/001.wav'), sound)
  await post('/library/rescan')
  db.exec('PRAGMA query_only = ON')
  const { surahs } = (await get('/library/surahs?reciter=Husary')).json()
  assert.equal(surahs[0].duration, 2_000)
  clock.advance(1_000)
  assert.equal(db.isTransaction, false, 'what is saved from now on is saved')
})
