import type { PatternPart } from '@manara/log-query/ast'
import { SigmaError } from './sigma-error.ts'

/** What Windows programs take for the dash of an option. */
const DASHES = ['-', '/', '\u2013', '\u2014', '\u2015']
const OPTION_DASH = /(?<![\p{L}\p{N}_])[-/](?=[\p{L}\p{N}_])/gu
const AT_MOST = 3

/** Every way to write the options in the value. */
export const withEveryDash = (parts: PatternPart[]): PatternPart[][] => {
  const count = countDashes(parts)
  if (count > AT_MOST)
    throw new SigmaError(`windash over ${count} dashes in one value: at most ${AT_MOST} are taken`)
  let ways: PatternPart[][] = [[]]
  for (const part of parts) {
    const pieces = typeof part === 'string' ? everyDash(part) : [part]
    ways = ways.flatMap((way) => pieces.map((piece) => [...way, piece]))
  }
  return ways
}

const countDashes = (parts: PatternPart[]): number =>
  parts
    .filter((part) => typeof part === 'string')
    .reduce((sum, part) => sum + part.split(OPTION_DASH).length - 1, 0)

const everyDash = (text: string): string[] => {
  const [first = '', ...rest] = text.split(OPTION_DASH)
  return rest.reduce(
    (ways, piece) => ways.flatMap((way) => DASHES.map((dash) => way + dash + piece)),
    [first],
  )
}
