import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePosixTz } from './parse-posix-tz.ts'
import type { TransitionRule } from './transition-rule.ts'

const monthRule = (
  month: number,
  week: number,
  weekday: number,
  time_s = 7200,
): TransitionRule => ({
  on: { kind: 'month', month, week, weekday },
  time_s,
})

describe('a rule string is read as POSIX describes it', () => {
  const offsets: [text: string, abbreviation: string, offset_s: number][] = [
    ['UTC0', 'UTC', 0],
    ['EST5', 'EST', -18_000],
    ['EST+5', 'EST', -18_000],
    ['AST-3', 'AST', 10_800],
    ['<+03>-3', '+03', 10_800],
    ['<-03>3', '-03', -10_800],
    ['IST-5:30', 'IST', 19_800],
    ['<+0545>-5:45', '+0545', 20_700],
    ['LMT0:01:15', 'LMT', -75],
    ['LMT-0:20:08', 'LMT', 1208],
    ['<+14>-14', '+14', 50_400],
    ['XYZ24', 'XYZ', -86_400],
    ['pst08', 'pst', -28_800],
  ]
  for (const [text, abbreviation, offset_s] of offsets) {
    test(`${text} is ${offset_s} s east of Greenwich`, () => {
      assert.deepEqual(parsePosixTz(text), { standard: { abbreviation, offset_s }, daylight: null })
    })
  }

  test('daylight saving is an hour ahead and changes at two unless said otherwise', () => {
    assert.deepEqual(parsePosixTz('EST5EDT,M3.2.0,M11.1.0'), {
      standard: { abbreviation: 'EST', offset_s: -18_000 },
      daylight: {
        abbreviation: 'EDT',
        offset_s: -14_400,
        start: monthRule(3, 2, 0),
        end: monthRule(11, 1, 0),
      },
    })
  })

  test('without rules the changes are those of the United States, as in glibc', () => {
    assert.deepEqual(parsePosixTz('EET-2EEST'), parsePosixTz('EET-2EEST,M3.2.0,M11.1.0'))
  })

  test('times may be negative, beyond the day, and have minutes and seconds', () => {
    const greenland = parsePosixTz('<-02>2<-01>,M3.5.0/-1,M10.5.0/0')
    assert.deepEqual(greenland.daylight?.start, monthRule(3, 5, 0, -3600))
    const israel = parsePosixTz('IST-2IDT,M3.4.4/26,M10.5.0')
    assert.deepEqual(israel.daylight?.start, monthRule(3, 4, 4, 93_600))
    const furthest = parsePosixTz('AAA0BBB,J1/-167:59:59,365/+167:00:01').daylight
    assert.deepEqual(furthest?.start, { on: { kind: 'julian', day: 1 }, time_s: -604_799 })
    assert.deepEqual(furthest?.end, { on: { kind: 'zero_based', day: 365 }, time_s: 601_201 })
  })

  test('daylight saving may be behind standard time, as in Ireland', () => {
    const dublin = parsePosixTz('IST-1GMT0,M10.5.0,M3.5.0/1')
    assert.equal(dublin.standard.offset_s, 3600)
    assert.equal(dublin.daylight?.offset_s, 0)
  })
})

describe('a bad rule string is refused with the character', () => {
  const bad: [text: string, message: RegExp][] = [
    ['', /zone name of at least three letters at character 1, found the end/],
    [':Europe/Oslo', /zone name .* at character 1, found ":"/],
    ['Europe/Oslo', /offset such as -3 or \+5:30 at character 7, found "\/"/],
    ['UTC', /offset .* at character 4, found the end/],
    ['AB3', /zone name of at least three letters at character 1/],
    ['<+3>-3', /quoted zone name .* at character 2/],
    ['<+03-3', />" at character 7, found the end/],
    ['<+0 3>-3', /at character 2/],
    ['EST25', /hours \(0\.\.24\) at character 4, found "2"/],
    ['EST5:60', /minutes \(0\.\.59\) at character 6/],
    ['EST5:', /minutes \(0\.\.59\) at character 6, found the end/],
    ['EST+-5', /hours \(0\.\.24\) at character 5, found "-"/],
    ['EST5 ', /zone name .* at character 5, found " "/],
    ['EST5EDT4x', /"," before the start of daylight saving at character 9, found "x"/],
    ['EST5EDT,', /day such as M3\.2\.0, J60 or 59 at character 9, found the end/],
    ['EST5EDT,M3.2.0', /"," before the end of daylight saving at character 15, found the end/],
    ['EST5EDT,M13.2.0,M11.1.0', /a month \(1\.\.12\) at character 10/],
    ['EST5EDT,M3.6.0,M11.1.0', /a week \(1\.\.5\) at character 12/],
    ['EST5EDT,M3.2.7,M11.1.0', /a weekday \(0\.\.6\) at character 14/],
    ['EST5EDT,M3-2.0,M11.1.0', /"\." after the month at character 11, found "-"/],
    ['EST5EDT,J0,J100', /a day \(1\.\.365\) at character 10/],
    ['EST5EDT,366,J100', /a day \(0\.\.365\) at character 9/],
    ['EST5EDT,M3.2.0/168,M11.1.0', /hours \(0\.\.167\) at character 16/],
    ['EST5EDT,M3.2.0,M11.1.0/', /hours \(0\.\.167\) at character 24, found the end/],
    ['EST5EDT,M3.2.0,M11.1.0,', /nothing more at character 23, found ","/],
    ['٣ST5', /at character 1/],
  ]
  for (const [text, message] of bad) {
    test(JSON.stringify(text), () => {
      assert.throws(() => parsePosixTz(text), { name: 'Error', message })
    })
  }
})
