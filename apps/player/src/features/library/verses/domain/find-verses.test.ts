import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASMALA_BEATS } from '@manara/player-contract/verse-beats'
import { recite } from '../testing/recite.ts'
import type { Span } from './align-verses.ts'
import { type FoundVerse, findVerses, SURE } from './find-verses.ts'

const ISTIADHA = 31
const none = new Map<number, number>()

function found(surah: number, spans: readonly Span[], marks = none): FoundVerse[] {
  const { verses } = findVerses(surah, spans, marks)
  assert(verses, `surah ${surah} was not found`)
  return verses
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= 160

for (const lead of [[], [BASMALA_BEATS], [ISTIADHA, BASMALA_BEATS]])
  test(`the verses are found after ${lead.length} parts said before them`, () => {
    let right = 0
    let all = 0
    let sure = 0
    let sureRight = 0
    for (const surah of [67, 75, 78, 82, 87, 93, 101, 110, 112]) {
      const { spans, starts } = recite(surah, { lead })
      for (const [index, verse] of found(surah, spans).entries()) {
        const start = starts[index] ?? 0
        const isRight = isNear(verse.start, start)
        all += 1
        right += Number(isRight)
        if (verse.margin < SURE) continue
        sure += 1
        sureRight += Number(isRight)
      }
    }
    assert.ok(right / all >= 0.95, `${right} of ${all} right`)
    assert.ok(sureRight / sure >= 0.99, `${sureRight} of ${sure} sure ones right`)
    assert.ok(sure / all >= 0.7, `${sure} of ${all} sure`)
  })

test('verses are in order, and none reaches into the next', () => {
  const verses = found(78, recite(78).spans)
  assert.equal(verses.length, 40)
  for (const [index, { start, end }] of verses.entries()) {
    assert.ok(end > start)
    assert.ok(end <= (verses[index + 1]?.start ?? Number.POSITIVE_INFINITY))
  }
})

test('two verses in one breath are parted by their lengths, and both are unsure', () => {
  const { spans, starts } = recite(82, { lead: [BASMALA_BEATS], joined: [8] })
  const verses = found(82, spans)
  for (const verse of [7, 8]) assert.ok((verses[verse - 1]?.margin ?? 9) < SURE, `verse ${verse}`)
  assert.ok(Math.abs((verses[7]?.start ?? 0) - (starts[7] ?? 0)) < 1_500)
})

test('a mark by ear is taken exactly, is sure, and puts the verses around it right', () => {
  const { spans, starts } = recite(75, { joined: [10], seed: 3 })
  const mark = starts[9] ?? 0
  const verses = found(75, spans, new Map([[10, mark]]))
  assert.equal(verses[9]?.start, mark)
  assert.equal(verses[8]?.end, mark)
  const right = verses.filter(({ start }, index) => isNear(start, starts[index] ?? 0)).length
  assert.ok(right >= 38, `${right} of 40`)
})

test('a mark in a wrong place is believed, for a person has heard it', () => {
  const { spans, starts } = recite(93)
  const other = starts[5] ?? 0
  assert.equal(found(93, spans, new Map([[5, other]]))[4]?.start, other)
})

const REFUSED: [what: string, surah: number, spans: readonly Span[], reason: RegExp][] = [
  ['one long sound', 67, [[0, 600_000]], /0 pauses and surah 67 has 30 verses/],
  ['nothing', 112, [], /pauses and surah 112 has 4 verses/],
  ['a far too short file', 67, recite(112).spans.flatMap(halves).flatMap(halves), /too short/],
  ['a far too long file', 112, recite(78).spans, /too long to be surah 112 alone/],
  ['even beats of a machine', 77, machine(400), /do not fit|speak for no place/],
]
for (const [what, surah, spans, reason] of REFUSED)
  test(`${what} is not surah ${surah}, and the search ends`, () => {
    const finding = findVerses(surah, spans, none)
    assert.equal(finding.verses, null)
    assert.match(finding.verses === null ? finding.reason : '', reason)
  })

test('of a recording of another surah hardly a verse is called sure', () => {
  let sure = 0
  let all = 0
  for (const [recorded, asked] of [
    [75, 74],
    [78, 79],
    [87, 88],
    [69, 70],
  ] as const) {
    const { verses } = findVerses(asked, recite(recorded).spans, none)
    all += recite(asked).starts.length
    sure += verses?.filter(({ margin }) => margin >= SURE).length ?? 0
  }
  assert.ok(sure / all < 0.25, `${sure} of ${all}`)
})

function halves([from, to]: Span): Span[] {
  const middle = (from + to) / 2
  return [
    [from, middle - 20],
    [middle + 20, to],
  ]
}

function machine(count: number): Span[] {
  return Array.from({ length: count }, (_, index): Span => [index * 1_000, index * 1_000 + 500])
}
