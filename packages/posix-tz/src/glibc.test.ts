import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { localTime } from './local-time.ts'
import { nextTransition } from './next-transition.ts'
import { offsetAt } from './offset-at.ts'
import { parsePosixTz } from './parse-posix-tz.ts'
import { REAL_ZONES } from './real-zones.fixture.ts'
import { anyRuleString, ruleStringInsideTheYear } from './rule-strings.fixture.ts'

/** What `date` says a clock in `TZ` shows, one line for each epoch second. */
function glibcClock(rule: string, epochs: number[]): string[] {
  const { stdout, stderr, status } = spawnSync('date', ['-f', '-', '+%F %T %w %::z %Z'], {
    input: epochs.map((epoch) => `@${epoch}\n`).join(''),
    // Without zone files glibc has to read the string: EST5EDT is also the name of a file, and the
    // file posixrules would stand in for a missing rule.
    env: { TZ: rule, TZDIR: '/nonexistent', LC_ALL: 'C', PATH: process.env.PATH },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  // GNU date writes a zero offset with the sign of a name such as <-00>.
  return stdout.trimEnd().replaceAll(' -00:00:00 ', ' +00:00:00 ').split('\n')
}

function ourClock(rule: string, epochs: number[]): string[] {
  const zone = parsePosixTz(rule)
  return epochs.map((epoch) => {
    const { offset_s, abbreviation } = offsetAt(zone, epoch * 1000)
    const t = localTime(zone, epoch * 1000)
    const date = `${t.year}-${two(t.month)}-${two(t.day)}`
    const time = `${two(t.hour)}:${two(t.minute)}:${two(t.second)}`
    return `${date} ${time} ${t.weekday} ${signedOffset(offset_s)} ${abbreviation}`
  })
}

const two = (value: number) => String(value).padStart(2, '0')

function signedOffset(offset_s: number): string {
  const s = Math.abs(offset_s)
  const parts = [s / 3600, (s / 60) % 60, s % 60].map((part) => two(Math.floor(part)))
  return `${offset_s < 0 ? '-' : '+'}${parts.join(':')}`
}

/** The second before, of and after each of the next changes: where mistakes would be. */
function aroundChanges(rule: string, epoch: number): number[] {
  const zone = parsePosixTz(rule)
  const seconds = [epoch]
  for (let change = nextTransition(zone, epoch * 1000); change && seconds.length < 13; ) {
    const at = change.epoch / 1000
    seconds.push(at - 1, at, at + 1)
    change = nextTransition(zone, change.epoch)
  }
  return seconds
}

function agree(rule: string, epochs: number[]) {
  assert.deepEqual(ourClock(rule, epochs), glibcClock(rule, epochs), `TZ=${rule}`)
}

const secondOf = (year: number, dayOfYear: number, second: number) =>
  Date.UTC(year, 0, 1 + dayOfYear) / 1000 + second

const epochsBetween = (firstDay: number, lastDay: number) =>
  fc.array(
    fc
      .tuple(
        fc.integer({ min: 1971, max: 2300 }), // glibc takes earlier years for 1970
        fc.integer({ min: firstDay, max: lastDay }),
        fc.nat(86_399),
      )
      .map(([year, day, second]) => secondOf(year, day, second)),
    { minLength: 20, maxLength: 40 },
  )

describe('clocks agree with glibc', () => {
  before(() => {
    const { stdout } = spawnSync('date', ['--version'], { encoding: 'utf8' })
    assert.match(stdout ?? '', /GNU coreutils/, 'needs GNU date, which this machine does not have')
  })

  for (const [place, text] of REAL_ZONES) {
    test(`${place}, ${text}, from 1971 to 2100`, () => {
      const epochs = Array.from({ length: 130 }, (_, index) => secondOf(1971 + index, index * 2, 0))
      agree(
        text,
        epochs.flatMap((epoch, index) => (index % 5 ? [epoch] : aroundChanges(text, epoch))),
      )
    })
  }

  test('generated rules, all through the year', () => {
    fc.assert(
      fc.property(ruleStringInsideTheYear, epochsBetween(0, 365), (text, epochs) => {
        agree(text, [...epochs, ...aroundChanges(text, epochs[0] ?? 0)])
      }),
      { numRuns: 150 },
    )
  })

  // glibc looks only at the changes of the current UTC year, so around New Year it forgets a season that
  // began in the old one; there the table in offset-at.test.ts is the judge.
  test('generated rules with changes near New Year, away from New Year', () => {
    fc.assert(fc.property(anyRuleString, epochsBetween(11, 353), agree), { numRuns: 150 })
  })

  test('a zone that names no rule, since the United States have had theirs', () => {
    const epochs = Array.from({ length: 28 }, (_, index) => secondOf(2008 + index, 40, 0))
    for (const text of ['EST5EDT', 'EET-2EEST', '<+03>-3<+05>-5'])
      agree(
        text,
        epochs.flatMap((epoch) => aroundChanges(text, epoch).slice(0, 7)),
      )
  })
})
