import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Card } from '../ports/card.ts'
import { createCard } from './card-library.ts'
import { createPatience } from './patience.ts'
import { hangReads } from './testing/hung-reads.ts'

/** What was asked has begun. */
const begun = () => new Promise(setImmediate)

function setup(t: TestContext) {
  const slot = mkdtempSync(path.join(tmpdir(), 'manara-slot-'))
  t.after(() => rmSync(slot, { recursive: true, force: true }))
  const mount = path.join(slot, 'card')
  const at = (name: string) => path.join(mount, name)
  mkdirSync(at('Husary'), { recursive: true })
  writeFileSync(at('Husary/001.mp3'), 'recitation')
  return { slot, mount, at, card: createCard(mount) }
}

test('a card has one identity until another takes its place', async (t) => {
  const { card, mount, slot } = setup(t)
  const first = await card.identity()
  assert.ok(first)
  assert.deepEqual(await card.identity(), first)
  renameSync(mount, `${slot}/first`)
  mkdirSync(path.join(mount, 'Basit'), { recursive: true })
  assert.notEqual((await card.identity())?.volume, first.volume)
})

test('nothing, a file, or a folder without visible content is not a card', async (t) => {
  const { card, mount } = setup(t)
  rmSync(mount, { recursive: true })
  assert.equal(await card.identity(), undefined)
  writeFileSync(mount, '')
  assert.equal(await card.identity(), undefined)
  rmSync(mount)
  mkdirSync(path.join(mount, '.keep'), { recursive: true })
  assert.equal(await card.identity(), undefined)
})

test('a listing tells files from folders, and links by where they lead', async (t) => {
  const { card, at } = setup(t)
  symlinkSync('Husary/001.mp3', at('link.mp3'))
  symlinkSync('/etc/hostname', at('leaves.mp3'))
  symlinkSync('Husary', at('Folder link'))
  assert.deepEqual(await card.list('.'), { files: ['link.mp3'], folders: ['Husary'] })
  assert.deepEqual(await card.list('Husary'), { files: ['001.mp3'], folders: [] })
})

test('a path holds when another computer has copied the card and spells its letters apart, or together', async (t) => {
  const { card, at } = setup(t)
  const kept = 'قرّاء/أحمد/002 آل عمران.mp3'
  for (const [wanted, written] of [
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ] as const) {
    const file = at(kept.normalize(written))
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, 'recitation')
    assert.equal(await card.resolveFile(kept.normalize(wanted)), file)
    rmSync(at('قرّاء'.normalize(written)), { recursive: true })
  }
  assert.equal(await card.resolveFile(kept), undefined)
})

test('what is not there is undefined', async (t) => {
  const { card, at } = setup(t)
  assert.equal(await card.list('Nobody'), undefined)
  assert.equal(await card.list('Husary/001.mp3'), undefined)
  assert.equal(await card.folderStamp('Nobody'), undefined)
  assert.equal(await card.fileStamp(at('002.mp3')), undefined)
  assert.equal(await card.resolveFile('002.mp3'), undefined)
})

test('bytes are read where they are asked for, and fewer at the end', async (t) => {
  const { card, at } = setup(t)
  const file = await card.openFile(at('Husary/001.mp3'))
  t.after(() => file.close())
  assert.equal((await file.read(2, 4)).toString(), 'cita')
  assert.equal((await file.read(8, 100)).toString(), 'on')
  assert.equal((await file.read(100, 4)).length, 0)
})

test('a call that the kernel keeps is not waited for, and the card is gone until it comes back', async (t) => {
  const { mount, at } = setup(t)
  const card = createCard(mount, createPatience(2, 1_000))
  // Opening a pipe that nobody writes into takes a thread and gives it back when somebody does.
  const pipe = at('dead.mp3')
  execFileSync('mkfifo', [pipe])
  const told = Promise.withResolvers<void>()
  const end = card.onProblem(told.resolve)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const opening = [card.openFile(pipe), card.openFile(pipe)]
  await begun()
  t.mock.timers.tick(1_000)
  for (const opened of opening) await assert.rejects(opened, /the card does not answer/)
  await told.promise
  end()
  assert.match(card.problem() ?? '', /take it out and put it in again/)
  assert.equal(await card.identity(), undefined)
  await assert.rejects(card.resolveFile('Husary/001.mp3'), { status: 503 })

  const back = Promise.withResolvers<void>()
  card.onProblem(back.resolve)
  const writer = openSync(pipe, constants.O_RDWR)
  t.after(() => closeSync(writer))
  await back.promise
  assert.equal(card.problem(), undefined)
  assert.ok(await card.identity())
  assert.equal(await card.resolveFile('Husary/001.mp3'), at('Husary/001.mp3'))
})

test('another card is read while calls to the one that has died never come back', async (t) => {
  const { slot, mount, at } = setup(t)
  const card = createCard(mount, createPatience(2, 1_000))
  // Beside the card: where it is opened from goes nowhere, however late a thread comes to that.
  const pipe = path.join(slot, 'dead.mp3')
  execFileSync('mkfifo', [pipe])
  assert.ok(await card.identity())
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const opening = [card.openFile(pipe), card.openFile(pipe)]
  await begun()
  t.mock.timers.tick(1_000)
  for (const opened of opening) await assert.rejects(opened, /the card does not answer/)
  const told = Promise.withResolvers<void>()
  card.onProblem(told.resolve)

  renameSync(mount, `${mount}-old`)
  mkdirSync(at('Minshawi'), { recursive: true })
  writeFileSync(at('Minshawi/001.mp3'), 'recitation')
  assert.equal(await card.identity(), undefined)
  await told.promise
  assert.equal(card.problem(), undefined)
  assert.ok(await card.identity())
  assert.equal(await card.resolveFile('Minshawi/001.mp3'), at('Minshawi/001.mp3'))
  // The calls come back at last, so that the process can end.
  const writer = openSync(pipe, constants.O_RDWR)
  t.after(() => closeSync(writer))
})

test('a file that the card keeps is closed without waiting for it', async (t) => {
  const { mount, at } = setup(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const file = await createCard(mount, createPatience(1, 1_000)).openFile(at('Husary/001.mp3'))
  await hangReads(t)
  const reading = file.read(0, 4)
  await begun()
  t.mock.timers.tick(1_000)
  await assert.rejects(reading, { status: 503 })
  await file.close()
})

function follow(t: TestContext, card: Card) {
  let hinted = Promise.withResolvers<void>()
  const watch = card.watchFolders(() => hinted.resolve())
  // A watch does not keep the process waiting; this does, and fails the test when nothing is heard.
  const deaf = setTimeout(() => hinted.reject(new Error('nothing was heard')), 120_000)
  t.after(() => {
    clearTimeout(deaf)
    watch.close()
  })
  return {
    async follow(path: string, inode?: string) {
      const stamp = await card.folderStamp(path)
      return watch.follow([{ path, inode: inode ?? stamp?.inode ?? 'none' }])
    },
    /** Resolves with the first hint that comes of what is done. */
    async hintOf(act: () => void) {
      hinted = Promise.withResolvers()
      act()
      await hinted.promise
    },
  }
}

test('a file that comes, goes or changes its name is heard', async (t) => {
  const { card, at } = setup(t)
  const watch = follow(t, card)
  await watch.follow('Husary')
  await watch.hintOf(() => writeFileSync(at('Husary/002.mp3'), ''))
  await watch.hintOf(() => renameSync(at('Husary/002.mp3'), at('Husary/003.mp3')))
  await watch.hintOf(() => rmSync(at('Husary/003.mp3')))
})

test('a folder made anew under its old name is heard again', async (t) => {
  const { card, at } = setup(t)
  const watch = follow(t, card)
  await watch.follow('Husary')
  await watch.hintOf(() => renameSync(at('Husary'), at('Old')))
  mkdirSync(at('Husary'))
  await watch.follow('Husary')
  await watch.hintOf(() => writeFileSync(at('Husary/002.mp3'), ''))
})

test('a folder made anew is heard again even when the file system gives it the old inode', async (t) => {
  const { card, at } = setup(t)
  const watch = follow(t, card)
  mkdirSync(at('Basit'))
  await watch.follow('Basit', '1:1')
  await watch.hintOf(() => rmdirSync(at('Basit')))
  mkdirSync(at('Basit'))
  await watch.follow('Basit', '1:1')
  await watch.hintOf(() => writeFileSync(at('Basit/002.mp3'), ''))
})

test('following a folder for the first time is a hint, since it may have changed before', async (t) => {
  const { card } = setup(t)
  let hints = 0
  const watch = card.watchFolders(() => {
    hints += 1
  })
  t.after(() => watch.close())
  watch.follow([{ path: 'Husary', inode: '1' }])
  watch.follow([{ path: 'Husary', inode: '1' }])
  assert.equal(hints, 1)
})

test('a folder that cannot be watched is admitted', async (t) => {
  const { card } = setup(t)
  assert.equal(await follow(t, card).follow('Husary'), true)
  assert.equal(await follow(t, card).follow('Nobody'), false)
})
