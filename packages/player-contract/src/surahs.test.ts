import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SURAHS } from './surahs.ts'

test('there are 114 surahs, numbered in order, with 6236 ayahs in all', () => {
  assert.deepEqual(
    SURAHS.map(({ number }) => number),
    Array.from({ length: 114 }, (_, index) => index + 1),
  )
  assert.equal(
    SURAHS.reduce((sum, { ayahs }) => sum + ayahs, 0),
    6236,
  )
})

test('86 surahs are Meccan and 28 Medinan', () => {
  assert.equal(SURAHS.filter(({ revelation }) => revelation === 'meccan').length, 86)
  assert.equal(SURAHS.filter(({ revelation }) => revelation === 'medinan').length, 28)
})

test('no name is given twice, in either script', () => {
  assert.equal(new Set(SURAHS.map(({ name }) => name)).size, 114)
  assert.equal(new Set(SURAHS.map(({ name_ar }) => name_ar)).size, 114)
  for (const { name_ar } of SURAHS) assert.match(name_ar, /^[\u0621-\u064a ]+$/)
})

// One row from each stretch of the table, so that a slip by one row cannot pass the sums above.
const LANDMARKS = [
  [1, 'Al-Fatihah', 'الفاتحة', 7, 'meccan'],
  [2, 'Al-Baqarah', 'البقرة', 286, 'medinan'],
  [18, 'Al-Kahf', 'الكهف', 110, 'meccan'],
  [36, 'Ya-Sin', 'يس', 83, 'meccan'],
  [55, 'Ar-Rahman', 'الرحمن', 78, 'medinan'],
  [67, 'Al-Mulk', 'الملك', 30, 'meccan'],
  [76, 'Al-Insan', 'الإنسان', 31, 'medinan'],
  [99, 'Az-Zalzalah', 'الزلزلة', 8, 'medinan'],
  [114, 'An-Nas', 'الناس', 6, 'meccan'],
] as const

for (const [number, name, name_ar, ayahs, revelation] of LANDMARKS) {
  test(`surah ${number} is ${name}`, () => {
    assert.deepEqual(SURAHS[number - 1], { number, name, name_ar, ayahs, revelation })
  })
}
