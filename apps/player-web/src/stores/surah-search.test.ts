import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSurahs } from './surah-search.ts'

const numbers = (text: string) => findSurahs(text).map(({ number }) => number)

const CASES: [text: string, first: number][] = [
  ['mulk', 67],
  ['Al-Mulk', 67],
  ['al mulk', 67],
  ['surah mulk', 67],
  ['الملك', 67],
  ['ملك', 67],
  ['سورة الملك', 67],
  ['67', 67],
  ['٦٧', 67],
  ['yasin', 36],
  ['Yaseen', 36],
  ['ya-sin', 36],
  ['يس', 36],
  ['rahman', 55],
  ['ar-rahman', 55],
  ['الرحمن', 55],
  ['الرَّحْمَٰن', 55],
  ['البقره', 2],
  ['baqara', 2],
  ['baqarah', 2],
  ['ال عمران', 3],
  ['آل عمران', 3],
  ['imran', 3],
  ['الاعراف', 7],
  ['القران', 0],
  ['kahf', 18],
  ['nas', 114],
  ['الناس', 114],
  ['الانبياء', 21],
  ['الأنبيا', 21],
  ['fatiha', 1],
  ['ikhlas', 112],
  ['waqiah', 56],
  ["waqi'ah", 56],
  ['یس', 36],
  ['الکہف', 18],
  ['القارعہ', 101],
  ['zzz', 0],
]

for (const [text, wanted] of CASES) {
  test(`“${text}” finds ${wanted === 0 ? 'nothing' : `surah ${wanted}`}`, () => {
    const found = numbers(text)
    if (wanted === 0) assert.deepEqual(found, [])
    else assert.ok(found.includes(wanted), `found ${found.join(' ')}`)
  })
}

test('a precise name finds few', () => {
  assert.deepEqual(numbers('الملك'), [67])
  assert.deepEqual(numbers('mulk'), [67])
  assert.ok(numbers('الناس').length <= 2)
})

test('a number finds itself first, and what begins like it', () => {
  assert.deepEqual(numbers('11').slice(0, 2), [11, 110])
  assert.deepEqual(numbers('114'), [114])
  assert.deepEqual(numbers('115'), [])
})

test('an empty search shows all 114', () => {
  assert.equal(numbers(' ').length, 114)
})
