import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createCard } from '../../adapters/card-library.ts'
import { resolveOnCard } from './resolve-on-card.ts'
import { tempCard } from './testing/temp-card.ts'

function setup(t: TestContext) {
  const folder = tempCard(t, 'Husary/001.mp3', 'Husary/notes.txt')
  writeFileSync(`${folder.slot}/outside.mp3`, '')
  const card = createCard(folder.mount)
  return { ...folder, resolve: (path: string) => resolveOnCard(card, path, ['mp3']) }
}

test('a file on the card is resolved to its absolute path', async (t) => {
  const { resolve, at } = setup(t)
  assert.equal(await resolve('Husary/001.mp3'), realpathSync(at('Husary/001.mp3')))
})

test('a link to a file on the card is resolved to that file', async (t) => {
  const { resolve, at } = setup(t)
  symlinkSync('Husary/001.mp3', at('favourite.mp3'))
  assert.equal(await resolve('favourite.mp3'), realpathSync(at('Husary/001.mp3')))
})

test('a card whose mount point is itself a link is a card all the same', async (t) => {
  const { slot, at } = setup(t)
  symlinkSync('card', `${slot}/link`)
  const file = await resolveOnCard(createCard(`${slot}/link`), 'Husary/001.mp3', ['mp3'])
  assert.equal(file, realpathSync(at('Husary/001.mp3')))
})

test('what is not plainly a playable file on the card is refused and the field is named', async (t) => {
  const { resolve, slot, mount, at } = setup(t)
  symlinkSync('../outside.mp3', at('leaves.mp3'))
  symlinkSync(slot, at('slot'))
  symlinkSync('Husary/notes.txt', at('notes.mp3'))
  symlinkSync('loop.mp3', at('loop.mp3'))
  mkdirSync(at('folder.mp3'))
  mkdirSync(`${mount}-2`)
  writeFileSync(`${mount}-2/001.mp3`, '')
  symlinkSync('../card-2/001.mp3', at('sibling.mp3'))
  const server = createServer().listen(at('socket.mp3'))
  t.after(() => server.close())
  await once(server, 'listening')
  const refused = [
    'leaves.mp3',
    'sibling.mp3',
    'slot/outside.mp3',
    'notes.mp3',
    'loop.mp3',
    'folder.mp3',
    'socket.mp3',
    'missing.mp3',
    'Husary/001.mp3/001.mp3',
    `${'long'.repeat(100)}.mp3`,
    'Husary/notes.txt',
    'Husary',
    '../outside.mp3',
    '%2e%2e%2foutside.mp3',
    at('Husary/001.mp3'),
    'Husary/001.mp3\0',
  ]
  for (const path of refused)
    await assert.rejects(resolve(path), { status: 400, message: /^path: / }, path)
})
