import { statement } from './statement.ts'

/**
 * Of the parts of a word those that few texts have, as far as the statistics of the index know.
 * What the index finds is compared with the whole word anyway, and to pass over a million texts that
 * have one part takes longer than to compare ten thousand that have another.
 *
 * It says that it is immutable although statistics change, so that it is asked once for a search and
 * the planner sees its answer: any of them is right. The service may not read the statistics of an
 * index itself.
 */
export const rareParts = statement(`
  CREATE FUNCTION rare_parts(index_name text, word text) RETURNS text[] IMMUTABLE PARALLEL SAFE
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    parts text[] := text_parts(word);
    rare text[];
  BEGIN
    WITH known AS (
      SELECT part, frequency FROM pg_stats,
        unnest(most_common_elems::text::text[], most_common_elem_freqs) AS held (part, frequency)
      WHERE schemaname = 'public' AND tablename = index_name AND part IS NOT NULL
    ), asked AS (
      -- What is not among the known ones is rarer than they are.
      SELECT part, coalesce(known.frequency, (SELECT min(frequency) FROM known)) AS frequency
      FROM unnest(parts) AS part LEFT JOIN known USING (part)
    )
    SELECT array_agg(DISTINCT part) INTO rare FROM asked
    WHERE frequency <= 8 * (SELECT min(frequency) FROM asked);
    RETURN coalesce(rare, parts);
  END $$;
`)
