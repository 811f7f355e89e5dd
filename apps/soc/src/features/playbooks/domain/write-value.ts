/** How a value is written within a longer text, so that it stays the one value that it is there. */
export type Writer = (value: unknown) => string

/** Whether the quotes that a piece of text opens are still open at its end. */
export const endsQuoted = (piece: string, isQuoted: boolean): boolean =>
  (piece.match(/\\.|"/gs) ?? []).filter((one) => one === '"').length % 2 === 1
    ? !isQuoted
    : isQuoted

/** JSON, or a line of it each: what a text is whose templates have a value each. */
export const isJson = (text: string): boolean =>
  /^\s*[[{]/.test(text) &&
  (parses(text) || text.split('\n').every((line) => line.trim() === '' || parses(line)))

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const asJson: Writer = (value) => JSON.stringify(value)

export const inQuotesOfJson: Writer = (value) => JSON.stringify(inWords(value)).slice(1, -1)

/** The language of searches knows these two escapes. */
export const inQuotesOfQuery: Writer = (value) => inWords(value).replaceAll(/["\\]/g, '\\$&')

/** `fin-ws-07, fin-ws-09`; what has parts of its own is still JSON. */
export const inWords: Writer = (value) =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? value.join(', ')
    : inBrackets(value)

/** In a text that begins as JSON does and is none. */
export const inBrackets: Writer = (value) =>
  typeof value === 'string' ? value : JSON.stringify(value)

export const isUrlSoFar = (text: string): boolean => /^\s*https?:\/\/\S*$/i.test(text)

/** Null for what would be another place, however it is spelled. A colon may precede a port. */
export function inUrl(value: unknown): string | null {
  const words = inWords(value).toWellFormed()
  return /^\.{1,2}$/.test(words) ? null : encodeURIComponent(words).replaceAll('%3A', ':')
}
