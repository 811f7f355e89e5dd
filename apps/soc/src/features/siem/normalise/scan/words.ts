import { work } from './work.ts'

/** What stands between two marks; undefined where one of them is missing. */
export function within(text: string, before: string, after: string): string | undefined {
  const from = endOf(text, before)
  if (from === undefined) return undefined
  const end = text.indexOf(after, from)
  work.steps += (end < 0 ? text.length : end) - from
  return end < 0 ? undefined : text.slice(from, end)
}

/** What stands after a mark, up to another or to the end of the text. */
export function following(text: string, before: string, after: string): string | undefined {
  const from = endOf(text, before)
  if (from === undefined) return undefined
  const end = text.indexOf(after, from)
  work.steps += (end < 0 ? text.length : end) - from
  return text.slice(from, end < 0 ? text.length : end).trim() || undefined
}

/** The word after a mark, without the signs around it. */
export function wordAfter(text: string, mark: string): string | undefined {
  let from = endOf(text, mark)
  if (from === undefined) return undefined
  while (text[from] === ' ') from += 1
  const space = text.indexOf(' ', from)
  const end = space < 0 ? text.length : space
  work.steps += end - from
  return bare(text.slice(from, end)) || undefined
}

function endOf(text: string, mark: string): number | undefined {
  const start = text.indexOf(mark)
  work.steps += start < 0 ? text.length : start
  return start < 0 ? undefined : start + mark.length
}

const AROUND = '"\'<>()[]{},;:'

/** `"name",` is `name`. */
export function bare(word: string): string {
  let from = 0
  let to = word.length
  while (from < to && AROUND.includes(word[from] ?? '')) from += 1
  while (to > from && (AROUND.includes(word[to - 1] ?? '') || word[to - 1] === '.')) to -= 1
  return word.slice(from, to)
}

/** The first word. */
export function firstWord(text: string): string {
  const space = text.indexOf(' ')
  return space < 0 ? text : text.slice(0, space)
}
