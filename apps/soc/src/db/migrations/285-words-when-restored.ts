import { statement } from './statement.ts'

/**
 * pg_restore looks for names in no schema. What is computed of a row while it is restored names the
 * schema itself: without it every alert was refused.
 */
export const wordsWhenRestored = statement(`
  CREATE OR REPLACE FUNCTION alert_words(
    title text, description text, source text, source_ref text, host text,
    iocs text[], tags text[], techniques text[]
  ) RETURNS tsvector IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN public.search_words(concat_ws(' ', title, source, source_ref, host,
      array_to_string(iocs, ' '), array_to_string(tags, ' '),
      array_to_string(techniques, ' '), description));
  END $$;
`)
