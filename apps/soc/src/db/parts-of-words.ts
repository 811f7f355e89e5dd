import { type RawBuilder, sql } from 'kysely'

/** As the indexes of migration 203 spell them. */
export const ALERT_TEXT = sql<string>`alert_text(
  title, description, source, source_ref, host, iocs, tags, mitre_techniques)`
export const CASE_TEXT = sql<string>`case_text(title, description)`

/** Quotes, `or` and a leading minus are for whole words alone. */
const OPERATORS = /"|(^|\s)-\S|\sor\s/i
/** Fewer letters have no part of three: they are found at the beginning of words. */
const SHORTEST = 3

/** A comma or a bracket beside a word is not part of it. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu

/**
 * Words or parts of them, each of which the text has, in any order. The index answers which texts
 * have the letters, so that only those are read and compared.
 */
export function mentioning(q: string, text: RawBuilder<string>): RawBuilder<boolean> {
  const words = q
    .split(/\s+/)
    .map((word) => word.replaceAll(EDGES, ''))
    .filter(Boolean)
  if (words.length === 0 || OPERATORS.test(q)) {
    return sql<boolean>`search @@ websearch_to_tsquery('simple', ${q})`
  }
  return sql.join<boolean>(
    words.map((word) => hasPart(word, text)),
    sql` AND `,
  )
}

function hasPart(word: string, text: RawBuilder<string>): RawBuilder<boolean> {
  if ([...word].length < SHORTEST) {
    return sql`search @@ to_tsquery('simple', quote_literal(${word}) || ':*')`
  }
  return sql`(text_parts(${text}) @> text_parts(lower(${word}::text)) OR text_parts(${text}) @> ARRAY[''])
    AND strpos(${text}, lower(${word}::text)) > 0`
}
