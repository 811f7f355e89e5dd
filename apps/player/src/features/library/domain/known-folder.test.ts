import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsTheSame, isUnchanged } from './known-folder.ts'

const stamp = { inode: '1:2', mtime_ms: 50_000, ctime_ms: 50_000 }
const folder = {
  stamp,
  listed_at: 60_000,
  folders: ['a', 'b'],
  surahs: new Map([[1, '001.mp3']]),
  inVerses: new Map([[111, '111001.mp3']]),
  notDecoded: ['m4a'],
}

test('a folder with the stamp it had is unchanged', () => {
  assert.equal(isUnchanged(folder, { ...stamp }), true)
})

test('another inode or either time makes it changed, also backwards', () => {
  assert.equal(isUnchanged(folder, { ...stamp, inode: '1:3' }), false)
  assert.equal(isUnchanged(folder, { ...stamp, mtime_ms: 49_999 }), false)
  assert.equal(isUnchanged(folder, { ...stamp, ctime_ms: 50_001 }), false)
})

test('a folder that changed within the step of FAT times before its listing is not believed', () => {
  assert.equal(isUnchanged({ ...folder, listed_at: 52_000 }, stamp), false)
  assert.equal(isUnchanged({ ...folder, listed_at: 52_001 }, stamp), true)
})

test('a folder from the future, as seen before the clock is set, is not believed', () => {
  assert.equal(isUnchanged({ ...folder, listed_at: 0 }, stamp), false)
})

test('content is compared by subfolders and by the file of each surah', () => {
  assert.equal(holdsTheSame(folder, { ...folder, listed_at: 1 }), true)
  assert.equal(holdsTheSame(folder, { ...folder, folders: ['a', 'c'] }), false)
  assert.equal(holdsTheSame(folder, { ...folder, folders: ['a'] }), false)
  assert.equal(holdsTheSame(folder, { ...folder, surahs: new Map([[1, '1.mp3']]) }), false)
  assert.equal(holdsTheSame(folder, { ...folder, surahs: new Map() }), false)
  assert.equal(holdsTheSame(folder, { ...folder, inVerses: new Map() }), false)
  assert.equal(holdsTheSame(folder, { ...folder, notDecoded: [] }), false)
  assert.equal(holdsTheSame(folder, { ...folder, notDecoded: ['aac'] }), false)
})
