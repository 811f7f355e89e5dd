import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { LibraryStatus, Reciter, ReciterSurahs } from '@manara/player-contract/library'
import { createCard } from '../../adapters/card-library.ts'
import type { Card } from '../../ports/card.ts'
import type { CardEvent } from './domain/card-events.ts'
import { createLibrary } from './library.ts'
import { manualTimer } from './testing/manual-timer.ts'
import { tempCard } from './testing/temp-card.ts'

function setup(
  t: TestContext,
  files: string[],
  overrides: (card: Card) => Partial<Card> = () => ({}),
) {
  const folder = tempCard(t, ...files)
  const card = createCard(folder.mount)
  const clock = manualTimer()
  const statuses: LibraryStatus[] = []
  const events: CardEvent[] = []
  const library = createLibrary({
    card: { ...card, ...overrides(card) },
    playable: ['mp3', 'flac'],
    durationOf: async (file) => (file.endsWith('001.mp3') ? 47_000 : undefined),
    now: () => Date.now() + 60_000,
    timer: clock.timer,
    onChange: (status) => statuses.push(status),
    onCard: (event) => events.push(event),
  })
  t.after(() => library.stop())

  /** The next poll, and the scan that it leads to. */
  async function poll() {
    await clock.fire(5_000)
    await library.rescan()
  }
  return { ...folder, library, statuses, events, clock, poll }
}

const FILES = ['Husary/001.mp3', 'Husary/036.flac', 'Husary/114.mp3', 'Minshawi/002.mp3']

test('after start the card is known', async (t) => {
  const { library, statuses } = setup(t, FILES)
  await library.start()
  assert.deepEqual(
    library.reciters().map(({ name, surah_count }) => [name, surah_count]),
    [
      ['Husary', 3],
      ['Minshawi', 1],
    ],
  )
  const status = library.status()
  assert.equal(status.card_present, true)
  assert.equal(status.scanning, false)
  assert.equal(status.reciter_count, 2)
  assert.equal(status.file_count, 4)
  assert.deepEqual(statuses, [status])
})

test('a card that takes long to be read is there meanwhile', async (t) => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const { library } = setup(t, FILES, (card) => ({
    async list(folder) {
      asked.resolve()
      await answered.promise
      return card.list(folder)
    },
  }))
  const started = library.start()
  assert.equal(library.status().card_present, false)
  await asked.promise
  const { card_present, scanning } = library.status()
  assert.deepEqual([card_present, scanning], [true, true])
  answered.resolve()
  await started
  assert.equal(library.status().scanning, false)
})

test('what it answers has the shape of the contract', async (t) => {
  const { library } = setup(t, FILES)
  LibraryStatus.parse(library.status())
  await library.start()
  LibraryStatus.parse(library.status())
  for (const reciter of library.reciters()) Reciter.parse(reciter)
  ReciterSurahs.parse(library.surahs('Husary'))
  ReciterSurahs.parse(await library.timedSurahs('Husary'))
})

test('surahs are found and located', async (t) => {
  const { library } = setup(t, FILES)
  await library.start()
  assert.equal(library.find('Husary', 36), 'Husary/036.flac')
  assert.equal(library.find('Husary', 2), undefined)
  assert.deepEqual(library.locate('Husary/036.flac'), { reciter: 'Husary', surah_number: 36 })
})

test('an unknown reciter has no surahs', async (t) => {
  const { library } = setup(t, FILES)
  await library.start()
  assert.equal(library.surahs('Nobody'), undefined)
  assert.equal(await library.timedSurahs('Nobody'), undefined)
  assert.equal(library.find('Nobody', 1), undefined)
})

test('durations are there where a file tells one', async (t) => {
  const { library } = setup(t, FILES)
  await library.start()
  const surahs = (await library.timedSurahs('Husary'))?.surahs
  assert.equal(surahs?.[0]?.duration, 47_000)
  assert.ok(surahs?.[1] && !('duration' in surahs[1]))
  assert.ok(surahs?.[35]?.available && !('duration' in surahs[35]))
  assert.ok(library.surahs('Husary')?.surahs.every((surah) => !('duration' in surah)))
})

test('without a card the library is empty and well', async (t) => {
  const { library, statuses } = setup(t, [])
  await library.start()
  const status = await library.rescan()
  assert.equal(status.card_present, false)
  assert.equal(status.error, undefined)
  assert.deepEqual(library.reciters(), [])
  assert.deepEqual(statuses, [])
})

test('the empty mount point that a card leaves behind is not a card', async (t) => {
  const { library, mount } = setup(t, [])
  mkdirSync(mount)
  await library.start()
  assert.equal(library.status().card_present, false)
})

test('a card that is put in is scanned and one that is taken out forgotten', async (t) => {
  const { library, put, mount, events, statuses, poll } = setup(t, [])
  await library.start()
  put(...FILES)
  await poll()
  assert.equal(library.reciters().length, 2)
  rmSync(mount, { recursive: true })
  await poll()
  assert.deepEqual(events, ['inserted', 'removed'])
  assert.deepEqual(library.reciters(), [])
  assert.deepEqual(
    statuses.map(({ card_present, file_count }) => [card_present, file_count]),
    [
      [true, 4],
      [false, 0],
    ],
  )
})

test('what was on a card is forgotten as soon as it is seen to be out', async (t) => {
  const { library, mount, statuses, clock } = setup(t, FILES)
  await library.start()
  rmSync(mount, { recursive: true })
  await clock.fire(5_000)
  assert.deepEqual(library.reciters(), [])
  assert.equal(statuses.at(-1)?.card_present, false)
})

test('a card that was changed elsewhere is read anew, whatever its times say', async (t) => {
  // Windows adds files to FAT folders without moving their times.
  const frozen = { inode: '1:1', mtime_ms: 1_000, ctime_ms: 1_000 }
  const { library, put, mount, slot, poll } = setup(t, FILES, () => ({
    folderStamp: async () => frozen,
  }))
  await library.start()
  renameSync(mount, `${slot}/elsewhere`)
  await poll()
  renameSync(`${slot}/elsewhere`, mount)
  put('Husary/002.mp3')
  await poll()
  assert.equal(library.find('Husary', 2), 'Husary/002.mp3')
})

test('another card in the slot replaces the first', async (t) => {
  const { library, slot, mount, put, events, poll } = setup(t, FILES)
  await library.start()
  renameSync(mount, `${slot}/first`)
  put('Basit/001.mp3')
  await poll()
  assert.deepEqual(events, ['inserted', 'removed', 'inserted'])
  assert.deepEqual(
    library.reciters().map(({ name }) => name),
    ['Basit'],
  )
})

test('clients are told of a change once and of an unchanged rescan never', async (t) => {
  const { library, put, age, statuses } = setup(t, FILES)
  age()
  await library.start()
  await library.rescan()
  assert.equal(statuses.length, 1)
  put('Basit/001.mp3')
  await library.rescan()
  await library.rescan()
  assert.equal(statuses.length, 2)
  assert.equal(statuses[1]?.reciter_count, 3)
})

test('many calls for a rescan at once make two scans, and the later sees what came meanwhile', async (t) => {
  let scans = 0
  const { library, put } = setup(t, FILES, (card) => ({
    identity: () => {
      scans += 1
      return card.identity()
    },
  }))
  const first = library.rescan()
  assert.equal(library.status().scanning, true)
  put('Basit/001.mp3')
  const [, second] = await Promise.all([first, library.rescan(), library.rescan()])
  assert.equal(scans, 2)
  assert.equal(second.reciter_count, 3)
  assert.equal(second.scanning, false)
})

test('a card that cannot be read is an error in the status, which goes with the next good scan', async (t) => {
  let isBroken = true
  const { library, statuses } = setup(t, FILES, (card) => ({
    list: async (folder) => {
      if (isBroken) throw new Error('EIO: i/o error, scandir')
      return card.list(folder)
    },
  }))
  await library.start()
  assert.equal(library.status().error, 'EIO: i/o error, scandir')
  isBroken = false
  await library.rescan()
  assert.equal(library.status().error, undefined)
  assert.deepEqual(
    statuses.map(({ file_count }) => file_count),
    [0, 4],
  )
})

test('a scan under way is dropped when the library stops', async (t) => {
  const listing = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const { library, statuses } = setup(t, FILES, (card) => ({
    list: async (folder) => {
      listing.resolve()
      await gate.promise
      return card.list(folder)
    },
  }))
  const starting = library.start()
  await listing.promise
  const stopping = library.stop()
  gate.resolve()
  await Promise.all([starting, stopping])
  assert.deepEqual(statuses, [])
  assert.deepEqual(library.reciters(), [])
})

test('a path is resolved against the card, and refused outside it', async (t) => {
  const { library } = setup(t, FILES)
  assert.match(await library.resolve('Husary/001.mp3'), /\/card\/Husary\/001\.mp3$/)
  await assert.rejects(library.resolve('/Husary/001.mp3'), { status: 400, message: /^path: / })
})

test('a library that was stopped can be started again', async (t) => {
  const { library } = setup(t, FILES)
  await library.start()
  await library.stop()
  await library.start()
  assert.equal((await library.rescan()).file_count, 4)
})
