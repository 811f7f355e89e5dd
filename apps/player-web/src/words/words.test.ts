import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ar as cardsAr } from '../pages/cards/catalogue-ar.ts'
import { en as cardsEn } from '../pages/cards/catalogue-en.ts'
import { ar as learnersAr, en as learnersEn } from '../pages/learners/catalogue.ts'
import { ar as libraryAr } from '../pages/library/catalogue-ar.ts'
import { en as libraryEn } from '../pages/library/catalogue-en.ts'
import { ar as moreAr } from '../pages/more/catalogue-ar.ts'
import { en as moreEn } from '../pages/more/catalogue-en.ts'
import { ar as prayerAr } from '../pages/prayer/catalogue-ar.ts'
import { en as prayerEn } from '../pages/prayer/catalogue-en.ts'
import { ar as radioAr } from '../pages/radio/catalogue-ar.ts'
import { en as radioEn } from '../pages/radio/catalogue-en.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { reasonsAr } from './reasons-ar.ts'
import { reasonsEn } from './reasons-en.ts'

type Leaf = [path: string, text: string]

/** Every sentence of a catalogue with where it stands; a counted one under the names of its forms. */
function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
}

const FORMS = /\.(zero|one|two|few|many|other)$/
const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()

const english = new Map(
  [
    en,
    cardsEn,
    { learners: learnersEn },
    libraryEn,
    moreEn,
    prayerEn,
    radioEn,
    { reasonsEn },
  ].flatMap((words) => leaves(words)),
)
const arabic = new Map(
  [
    ar,
    cardsAr,
    { learners: learnersAr },
    libraryAr,
    moreAr,
    prayerAr,
    radioAr,
    { reasonsEn: reasonsAr },
  ].flatMap((words) => leaves(words)),
)

test('no sentence is empty in either language', () => {
  for (const [path, text] of [...english, ...arabic]) assert.notEqual(text.trim(), '', path)
})

test('a sentence has the same places in both languages', () => {
  for (const [path, text] of english) {
    if (FORMS.test(path)) continue
    assert.equal(places(arabic.get(path) ?? ''), places(text), path)
  }
})

test('what is counted has all six forms in Arabic', () => {
  const counted = [...arabic.keys()].filter((path) => path.endsWith('.other'))
  assert.ok(counted.length > 5)
  for (const path of counted) {
    const stem = path.slice(0, -'.other'.length)
    for (const form of ['zero', 'one', 'two', 'few', 'many']) {
      assert.ok(arabic.has(`${stem}.${form}`), `${stem} lacks ${form}`)
    }
  }
})

test('Arabic sentences are Arabic, English ones are not', () => {
  const isArabic = (text: string) => /\p{Script=Arabic}/u.test(text)
  for (const [path, text] of english)
    if (path !== '.otherLanguage') assert.ok(!isArabic(text), path)
  for (const [path, text] of arabic) {
    if (path === '.otherLanguage' || !/\p{L}/u.test(text.replace(/\{\w+\}/g, ''))) continue
    assert.ok(isArabic(text), `${path}: ${text}`)
  }
})
