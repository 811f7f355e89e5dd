import { RE2JS } from 're2js'
import type { Regex } from './ast.ts'

/** Beyond these a regex takes long to compile, and engines refuse it each at its own size. */
const MAX_SOURCE = 4_096
const MAX_SIZE = 5_000
/** With more an engine goes through a long text once for each, and nothing stops it halfway. */
const MAX_LOOPS = 100

/**
 * Why the engines could not all run this regex the same way; undefined when they can. They share
 * RE2's syntax, but for the Unicode version behind `\p` and two spellings.
 */
export function checkRegex(regex: Regex): string | undefined {
  const { source } = regex
  if (source === '') return 'the regex is empty'
  if (source.length > MAX_SOURCE) return `the regex has more than ${MAX_SOURCE} characters`
  if (/(?<!\\)(?:\\\\)*\\[pP]/.test(source))
    return '\\p is not supported: list the letters, [a-zà-ž]'
  if (source.includes('(?<')) return '(?<…) is not supported: write (?:…) or (?P<name>…)'
  if (hasOpenClass(source)) return 'a [ is never closed: write \\[ for the bracket itself'
  if (sizeOf(source) > MAX_SIZE) return 'the regex repeats too much: use smaller counts'
  if (loopsIn(source) > MAX_LOOPS) return `the regex has more than ${MAX_LOOPS} of * + {n,}`
  try {
    compileRegex(regex)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Runs in linear time whatever the source; throws when it is not RE2 syntax. */
export function compileRegex({ source, flags }: Regex): (text: string) => boolean {
  const compiled = RE2JS.compile(
    source,
    (flags.i ? RE2JS.CASE_INSENSITIVE : 0) |
      (flags.m ? RE2JS.MULTILINE : 0) |
      (flags.s ? RE2JS.DOTALL : 0),
  )
  return (text) => compiled.test(text)
}

/**
 * The texts of its named groups where it is found first, in linear time; throws when it is not RE2
 * syntax, or too large.
 */
export function compileCaptures(
  source: string,
): (text: string) => Record<string, string> | undefined {
  if (sizeOf(source) > MAX_SIZE) throw new Error('pattern: repeats too much: use smaller counts')
  const compiled = re2(source)
  const groups = Object.entries(compiled.namedGroups())
  return (text) => {
    const matcher = compiled.matcher(text)
    if (!matcher.find()) return undefined
    return Object.fromEntries(groups.map(([name, at]) => [name, matcher.group(at) ?? '']))
  }
}

function re2(source: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.DOTALL)
  } catch (error) {
    throw new Error(`pattern: ${error instanceof Error ? error.message : 'is no expression'}`)
  }
}

const CLASS = String.raw`\[\^?\]?(?:\\.|\[:\^?\w{1,12}:\]|[^\]\\])*\]`
const ATOM = new RegExp(String.raw`\\.|${CLASS}|\{(\d+)(,\d*)?\}|.`, 'gsu')

/** The last one is `[` when a class is never closed: none after it is worth looking for. */
function* atomsOf(source: string): Generator<RegExpExecArray> {
  for (const found of source.matchAll(ATOM)) {
    yield found
    if (found[0] === '[') return
  }
}

/** Compiling says so too, after looking for the end from every bracket on. */
function hasOpenClass(source: string): boolean {
  // Between \Q and \E a bracket is a bracket.
  if (source.includes('\\Q')) return false
  for (const [atom] of atomsOf(source)) if (atom === '[') return true
  return false
}

/** Repeats without an end. */
function loopsIn(source: string): number {
  let loops = 0
  for (const [atom] of atomsOf(source)) if (/^(?:[*+]|\{\d+,\})$/.test(atom)) loops += 1
  return loops
}

/** Of how many single characters it consists once its counts are written out. */
function sizeOf(source: string): number {
  const sizes = [0]
  let last = 0
  const add = (size: number) => sizes.push((sizes.pop() ?? 0) + size)
  for (const [atom, least, most] of atomsOf(source)) {
    if (atom === '(') sizes.push(0)
    else if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most?.slice(1) ?? 0))
      add(last * (times - 1))
      last *= times
    } else {
      last = atom === ')' ? (sizes.pop() ?? 0) : 1
      add(last)
    }
  }
  return sizes.reduce((sum, size) => sum + size, 0)
}
