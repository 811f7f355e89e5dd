import { type RawBuilder, sql } from 'kysely'

/** As the indexes of migration 203 spell them. */
export const ALERT_TEXT = sql<string>`alert_text(
  title, description, source, source_ref, host, iocs, tags, mitre_techniques)`
export const CASE_TEXT = sql<string>`case_text(title, description)`

/** Quotes, `or` and a leading minus are for whole words alone. */
const OPERATORS = /"|(^|\s)-\S|\sor\s/i
/** Fewer letters have no part of three: they are found at the beginning of words. */
const SHORTEST = 3

/** Whole words, or in any order parts of them, each of which the text has. */
export function mentioning(q: string, text: RawBuilder<string>): RawBuilder<boolean> {
  const whole = sql<boolean>`search @@ websearch_to_tsquery('simple', ${q})`
  const words = q.split(/\s+/).filter(Boolean)
  if (words.length === 0 || OPERATORS.test(q)) return whole
  const all = words.map((word) =>
    [...word].length < SHORTEST
      ? sql`search @@ to_tsquery('simple', quote_literal(${word}) || ':*')`
      : sql`(text_parts(${text}) @> text_parts(lower(${word}::text)) OR text_parts(${text}) @> ARRAY[''])
          AND strpos(${text}, lower(${word}::text)) > 0`,
  )
  return sql<boolean>`(${whole} OR (${sql.join(all, sql` AND `)}))`
}
