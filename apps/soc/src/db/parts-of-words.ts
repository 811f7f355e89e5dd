import { type RawBuilder, sql } from 'kysely'

/**
 * A text in two spellings: for the index of its parts, and in pieces for comparing each that it
 * finds. Words have no blanks, so one that the text has is in one of the pieces.
 */
export type SearchedText = {
  index: string
  indexed: RawBuilder<string>
  compared: RawBuilder<string>[]
}

/**
 * Indexed as migration 203 spells them. A function that an index may hold costs a call for every
 * alert that is compared, twice as much as what it does; and most words are in one of the first.
 */
export const ALERT_TEXT: SearchedText = {
  index: 'alerts_parts',
  indexed: sql`alert_text(
    title, description, source, source_ref, host, iocs, tags, mitre_techniques)`,
  compared: [
    sql`lower(title)`,
    sql`lower(description)`,
    sql`lower(concat_ws(' ', source, source_ref, host, array_to_string(iocs, ' '),
      array_to_string(tags, ' '), array_to_string(mitre_techniques, ' ')))`,
  ],
}
const CASE = sql<string>`case_text(title, description)`
export const CASE_TEXT: SearchedText = { index: 'cases_parts', indexed: CASE, compared: [CASE] }

/** Quotes, `or` and a leading minus are for whole words alone. */
const OPERATORS = /"|(^|\s)-\S|\sor\s/i
/** Fewer letters have no part of three: they are found at the beginning of words. */
const SHORTEST = 3

/** A comma or a bracket beside a word is not part of it. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu

/**
 * Words or parts of them, each of which the text has, in any order. The index answers which texts
 * have the rarest of their letters (migration 269), so that only those are read and compared.
 */
export function mentioning(q: string, text: SearchedText): RawBuilder<boolean> {
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

function hasPart(word: string, text: SearchedText): RawBuilder<boolean> {
  if ([...word].length < SHORTEST) {
    return sql`search @@ to_tsquery('simple', quote_literal(${word}) || ':*')`
  }
  const { index, indexed, compared } = text
  const letters = sql`lower(${word}::text)`
  return sql`(text_parts(${indexed}) @> rare_parts(${index}, ${letters})
      OR text_parts(${indexed}) @> ARRAY[''])
    AND (${sql.join(
      compared.map((piece) => sql`strpos(${piece}, ${letters}) > 0`),
      sql` OR `,
    )})`
}
