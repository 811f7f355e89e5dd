/** Other signs, such as the slash of a path, mean something to the language. */
const PLAIN = /^\w[\w.@-]*$/
const WORD = /^(and|or|not|in|to)$/i
/** As many as the language takes in one word. */
const MOST_WILDCARDS = 100

/**
 * A text as the query language takes it to the letter. A line break or a tab is any one sign: the
 * field of a query has one line, and within quotes there is no other way to write them. Of very many
 * lines it is a regex.
 */
export function quoted(text: string): string {
  if (PLAIN.test(text) && !WORD.test(text)) return text
  const parts = text.split(/\p{Cc}/u).map((part) => part && inQuotes(part))
  return parts.length > MOST_WILDCARDS + 1 ? asRegex(text) : parts.join('?') || '""'
}

const inQuotes = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

const asRegex = (text: string) =>
  `/^${text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(/\p{Cc}/gu, byCode)}$/`

const byCode = (sign: string) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`
