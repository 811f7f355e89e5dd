/** Other signs, such as the slash of a path, mean something to the language. */
const PLAIN = /^\w[\w.@-]*$/
const WORD = /^(and|or|not|in|to)$/i

/**
 * A text as the query language takes it to the letter. A line break or a tab is any one sign: the
 * field of a query has one line, and within quotes there is no other way to write them.
 */
export function quoted(text: string): string {
  if (PLAIN.test(text) && !WORD.test(text)) return text
  const parts = text.split(/\p{Cc}/u).map((part) => part && inQuotes(part))
  return parts.join('?') || '""'
}

const inQuotes = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
