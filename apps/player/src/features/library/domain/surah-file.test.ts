import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SURAHS as SURAH_LIST } from '@manara/player-contract/surahs'
import { extensionOf, surahFiles, surahNumber } from './surah-file.ts'

const SURAHS: readonly (readonly [string, number])[] = [
  ['001', 1],
  ['1', 1],
  ['114', 114],
  ['001 - Al-Fatihah', 1],
  ['001 Al-Fatihah', 1],
  ['001_الفاتحة', 1],
  ['surah_001', 1],
  ['الفاتحة001', 1],
  ['٠٠١', 1],
  ['سورة ٠١٨ الكهف', 18],
  ['۱۱۴', 114],
  ['001-128kbps', 1],
  ['036_64kb', 36],
  ['002 (192k)', 2],
  ['128kbps 002', 2],
  ['055 44100 Hz', 55],
  ['mp3 002', 2],
  ['002 (1)', 2],
  ['2019 - 002', 2],
  ['002 - Al-Baqarah 2019', 2],
  ['002. Al-Baqarah', 2],
  ['045 Al-Jathiyah 128k', 45],
  ['0036', 36],
  ['سورة الفاتحة', 1],
  ['سُورَةُ ٱلْفَاتِحَةِ', 1],
  ['آل عمران', 3],
  ['آل عمران'.normalize('NFD'), 3],
  ['ال عمران', 3],
  ['يس', 36],
  ['سورة ياسين - الحصري', 36],
  ['الملك', 67],
  ['سورة الاخلاص', 112],
  ['الشيخ عبد الباسط سورة مريم', 19],
  ['Al-Kahf', 18],
  ['al kahf', 18],
  ['Surah Al-Kahf by Mishary', 18],
  ['Surat Yaseen', 36],
  ['Suratul Mulk', 67],
  ['Ya-Sin', 36],
  ['Al-Baqara', 2],
  ['Aal-i-Imran', 3],
  ['Sourate Taubah', 9],
  ['01 سورة يس', 36],
  ['02 - Surah Ar-Rahman', 55],
  ['سورة الكهف (1)', 18],
  ['سورة 18 الكهف', 18],
]

for (const [stem, number] of SURAHS) {
  test(`"${stem}" is surah ${number}`, () => assert.equal(surahNumber(stem), number))
}

const OTHERS = [
  '001001',
  '٠٠١٠٠١',
  '002-1-25',
  '002 - 1 - 25',
  '002_255',
  '002-255',
  '000',
  '0',
  '115',
  '999',
  '2019',
  'Juz 01',
  "juz'30",
  'الجزء ٣٠',
  'حزب 12',
  'page 004',
  '002 part 1',
  '002-pt2',
  'آية 255',
  'adhan',
  '',
  'Fajr',
  'العصر',
  'سورة البقرة 1',
  'Surah Al-Baqarah 1',
  'محمد صديق المنشاوي',
  'دعاء ختم القرآن',
]

for (const stem of OTHERS) {
  test(`"${stem}" is not a surah`, () => assert.equal(surahNumber(stem), undefined))
}

for (const { number, name, name_ar } of SURAH_LIST) {
  test(`a surah is found by its name: ${name}`, () => {
    assert.deepEqual([`سورة ${name_ar}`, `Surah ${name}`].map(surahNumber), [number, number])
  })
}

test('the extension is what follows the last dot, in lower case, and a hidden name has none', () => {
  assert.equal(extensionOf('001.Al-Fatihah.MP3'), 'mp3')
  assert.equal(extensionOf('001'), '')
  assert.equal(extensionOf('.mp3'), '')
})

const PLAYABLE = ['mp3', 'flac', 'wav']

test('only playable extensions count', () => {
  const files = surahFiles(['001.mp3', '002.txt', '003.m4a', '004.FLAC', '005'], PLAYABLE)
  assert.deepEqual(Object.fromEntries(files), { 1: '001.mp3', 4: '004.FLAC' })
})

test('of two files for one surah the same one is chosen in whatever order they are listed', () => {
  const rivals = ['001.wav', '001 (1).mp3', '1.flac', '001.mp3', '01.wav', 'a01.mp3']
  for (const listed of [rivals, rivals.toReversed(), rivals.toSorted()])
    assert.equal(surahFiles(listed, PLAYABLE).get(1), '001.mp3')
})

test('the order of the playable extensions decides between formats', () => {
  const files = ['001.mp3', '001.flac']
  assert.equal(surahFiles(files, ['mp3', 'flac']).get(1), '001.mp3')
  assert.equal(surahFiles(files, ['flac', 'mp3']).get(1), '001.flac')
})
