import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { logWith, matches, reasonFor, ruleWith } from './testing/sigma-fixture.ts'

const SELECTIONS = `
sel_a: {A: 1}
sel_b: {B: 1}
other: {C: 1}
_hidden: {D: 1}
words: [one, two]
`
const rule = (condition: string) => ruleWith(`${SELECTIONS.trim()}\ncondition: ${condition}`)

/** The letters are the fields an event has; words go to the message. */
const eventOf = (text: string) => {
  const letters = text.split(' ')[0] ?? ''
  const fields = Object.fromEntries([...letters].map((letter) => [letter, 1]))
  return logWith(fields, text.slice(letters.length))
}

describe('a condition', () => {
  const cases: [condition: string, matching: string[], other: string[]][] = [
    ['sel_a', ['A', 'AB'], ['', 'B']],
    ['sel_a and sel_b', ['AB'], ['A', 'B']],
    ['sel_a or sel_b', ['A', 'B'], ['C']],
    ['not sel_a', ['', 'B'], ['A']],
    ['sel_a or sel_b and other', ['A', 'BC'], ['B', 'C']],
    ['(sel_a or sel_b) and other', ['AC', 'BC'], ['A', 'B']],
    ['not sel_a and sel_b', ['B'], ['AB', '']],
    ['not (sel_a and sel_b)', ['A', ''], ['AB']],
    ['sel_a and not not sel_b', ['AB'], ['A']],
    ['sel_a AND NOT sel_b', ['A'], ['AB']],
    ['1 of sel_*', ['A', 'B'], ['C']],
    ['any of sel_*', ['A', 'B'], ['C']],
    ['all of sel_*', ['AB'], ['A', 'B']],
    ['1 of *_b', ['B'], ['A']],
    ['all of sel_* and not 1 of oth*', ['AB'], ['ABC']],
    ['1 of them', ['A', 'C', 'x one'], ['D', '']],
    ['all of them', ['ABC one'], ['AB one', 'ABC']],
    ['2 of sel_*', ['AB'], ['A']],
    ['2 of them', ['AC', 'BC', 'A two'], ['A', 'AD']],
    ['words', ['x one', 'x two'], ['x']],
    ['all of words', ['x one two'], ['x one']],
    ['(sel_a)or(sel_b)', ['A', 'B'], ['C']],
    ['[sel_a, sel_b and other]', ['A', 'BC'], ['B']],
  ]
  for (const [condition, matching, other] of cases) {
    test(condition, () => {
      for (const event of matching) assert.ok(matches(rule(condition), eventOf(event)), event)
      for (const event of other) assert.ok(!matches(rule(condition), eventOf(event)), event)
    })
  }
})

describe('a bad condition says what was expected', () => {
  const cases: [condition: string, reason: RegExp][] = [
    ['sel_c', /no selection named sel_c/],
    ['1 of nix*', /no selection is named like nix\*/],
    ['sel_a and', /expected the name of a selection, found the end/],
    ['(sel_a', /expected "\)", found the end/],
    ['sel_a sel_b', /expected "and", "or" or the end, found "sel_b"/],
    ['sel_a)', /found "\)"/],
    ['some of sel_*', /"some of" is none of/],
    ['5 of sel_*', /5 of 2 selections can never be/],
    ['sel_a | near sel_b', /aggregation "\| near sel_b" is not supported/],
    ['sel_a | count() > 5', /needs a timeframe/],
    ["''", /expected the name of a selection/],
    [`${'('.repeat(20_000)}sel_a${')'.repeat(20_000)}`, /more than 64 levels of parentheses/],
    [`${'not '.repeat(20_000)}sel_a`, /more than 64 levels of parentheses or "not"/],
  ]
  for (const [condition, reason] of cases)
    test(condition.slice(0, 60), () => assert.match(reasonFor(rule(condition)), reason))
})
