import type { Regex } from '@manara/log-query/ast'
import { SigmaError } from './sigma-error.ts'

/**
 * What RE2 writes another way. Everything else either means the same in both or is refused below:
 * a rule never matches anything but what its author wrote.
 */
const REWRITTEN: [pattern: RegExp, replacement: string][] = [
  [/^\\h/, '[ \\t]'],
  [/^\\R/, '(?:\\r\\n|[\\n\\v\\f\\r])'],
  [/^\\e/, '\\x1b'],
  [/^\\Z/, '\\n?\\z'],
  [/^\\u([0-9A-Fa-f]{4})/, '\\x{$1}'],
  [/^\(\?#[^)]*\)/, ''],
  [/^\(\?P?<(?![=!])\w+>/, '('],
  [/^\(\?'\w+'/, '('],
]

const REFUSED: [pattern: RegExp, what: string][] = [
  [/^\(\?<?[=!]/, 'looks ahead or behind ((?=…), (?!…), (?<=…), (?<!…))'],
  [/^\(\?>/, 'has an atomic group ((?>…))'],
  [/^\(\?(?:\||R|P[>=]|&|\()/, 'has a conditional, recursive or branch-reset group'],
  [/^\\(?:[1-9]|g|k)/, 'refers back to a group (\\1)'],
  [/^(?:[*+?]|\{\d+(?:,\d*)?\})\+/, 'has a possessive quantifier (a++)'],
  [/^\\[GKXNEHVL]/, 'uses an escape that RE2 does not know'],
]

const SAME_IN_BOTH = /^(?:\\Q[\s\S]*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[\s\S]|[\s\S])/

/** As long as the search language takes them: reading a longer one would only take time. */
const MOST_SOURCE = 4_096

export const readRegex = (source: string, flags: Regex['flags']): Regex => {
  if (source.length > MOST_SOURCE)
    throw new SigmaError(`the regular expression has more than ${MOST_SOURCE} characters`)
  const { pattern, flags: inline } = withoutLeadingFlags(source)
  let rest = pattern
  let converted = ''
  while (rest !== '') {
    const characterClass = /^\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/.exec(rest)
    if (characterClass) {
      converted += characterClass[0].replace(/\\h/g, ' \\t').replace(/\\u(\w{4})/g, '\\x{$1}')
      rest = rest.slice(characterClass[0].length)
      continue
    }
    for (const [refused, what] of REFUSED)
      if (refused.test(rest))
        throw new SigmaError(
          `the regular expression ${what}, which no engine here can run: ${source}`,
        )
    const rewritten = REWRITTEN.find(([known]) => known.test(rest))
    const [taken] = (rewritten ? rewritten[0] : SAME_IN_BOTH).exec(rest) ?? [rest]
    converted += rewritten ? taken.replace(rewritten[0], rewritten[1]) : taken
    rest = rest.slice(taken.length)
  }
  return { kind: 'regex', source: converted, flags: { ...inline, ...flags } }
}

/** `(?i)` and its like at the very beginning become flags; further inside RE2 knows them. */
const withoutLeadingFlags = (source: string): { pattern: string; flags: Regex['flags'] } => {
  const leading = /^\(\?([ims]+)\)/.exec(source)
  if (!leading) return { pattern: source, flags: {} }
  const flags: Regex['flags'] = {}
  for (const flag of leading[1] ?? '') flags[flag as 'i' | 'm' | 's'] = true
  return { pattern: source.slice(leading[0].length), flags }
}
