import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalogue } from './catalogue.ts'

const whole = new Map(Array.from({ length: 114 }, (_, index) => [index + 1, `${index + 1}.mp3`]))

const catalogue = createCatalogue([
  ['.', new Map([[36, 'yasin 036.mp3']])],
  ['Hafs', new Map()],
  ['Hafs/Husary', whole],
  [
    'Warsh/Husary',
    new Map([
      [1, '001.flac'],
      [114, '114.mp3'],
    ]),
  ],
])

test('reciters are the folders that hold surahs, in the order of their names', () => {
  assert.deepEqual(catalogue.reciters, [
    { name: 'Card', path: '.', surah_count: 1, complete: false },
    {
      name: 'Husary (Hafs)',
      name_ar: 'محمود خليل الحصري',
      path: 'Hafs/Husary',
      surah_count: 114,
      complete: true,
    },
    {
      name: 'Husary (Warsh)',
      name_ar: 'محمود خليل الحصري (ورش)',
      path: 'Warsh/Husary',
      surah_count: 2,
      complete: false,
    },
  ])
  assert.equal(catalogue.fileCount, 117)
})

test('the surahs of a reciter are all 114, each with its file or none', () => {
  const reply = catalogue.surahs('Husary (Warsh)')
  assert.equal(reply?.count, 2)
  assert.equal(reply.available.length, 114)
  assert.deepEqual(
    [reply.available[0], reply.available[1], reply.available[113]],
    [true, false, true],
  )
  assert.deepEqual(reply.surahs[0], {
    number: 1,
    name: 'Al-Fatihah',
    name_ar: 'الفاتحة',
    ayahs: 7,
    revelation: 'meccan',
    available: true,
    path: 'Warsh/Husary/001.flac',
  })
  assert.equal(reply.surahs[1]?.path, null)
})

test('a reciter is found by its path as well, and an unknown one is not', () => {
  assert.equal(catalogue.surahs('Warsh/Husary')?.reciter, 'Husary (Warsh)')
  assert.equal(catalogue.file('.', 36), 'yasin 036.mp3')
  assert.equal(catalogue.file('Husary (Hafs)', 2), 'Hafs/Husary/2.mp3')
  for (const unknown of ['Husary', 'Hafs', '', 'husary (hafs)']) {
    assert.equal(catalogue.surahs(unknown), undefined)
    assert.equal(catalogue.file(unknown, 1), undefined)
  }
})

test('a decomposed spelling of a name finds its reciter', () => {
  const arabic = createCatalogue([['أحمد'.normalize('NFC'), whole]])
  assert.equal(arabic.file('أحمد'.normalize('NFD'), 1), 'أحمد/1.mp3')
  assert.deepEqual(arabic.locate('أحمد/1.mp3'.normalize('NFD')), {
    reciter: 'أحمد'.normalize('NFC'),
    surah_number: 1,
  })
})

test('a file tells its reciter and surah', () => {
  const warsh = { reciter: 'Husary (Warsh)', surah_number: 1 }
  assert.deepEqual(catalogue.locate('Warsh/Husary/001.flac'), warsh)
  assert.deepEqual(catalogue.locate('Warsh/Husary/001 (1).mp3'), warsh)
  assert.deepEqual(catalogue.locate('yasin 036.mp3'), { reciter: 'Card', surah_number: 36 })
})

test('the first verse of a surah in verses tells the surah, as it is listed; another tells nothing', () => {
  const inVerses = createCatalogue([
    [
      'Verse',
      new Map([
        [112, '112001.mp3'],
        [67, '67/001.mp3'],
      ]),
    ],
  ])
  for (const [path, surah_number] of [
    ['Verse/112001.mp3', 112],
    ['Verse/67/001.mp3', 67],
  ] as const) {
    assert.deepEqual(inVerses.locate(path), { reciter: 'Verse', surah_number })
  }
  assert.equal(inVerses.locate('Verse/112002.mp3'), undefined)
})

test('a file that belongs to nobody, or is no surah, tells nothing', () => {
  for (const path of ['Hafs/001.mp3', 'Warsh/Husary/002.mp3', 'Warsh/Husary/adhan.mp3', ''])
    assert.equal(catalogue.locate(path), undefined)
})
