import { statement } from './statement.ts'

/**
 * Parts of words are found by the groups of three letters they are made of, in an index over all of
 * them; what the index finds is compared with the text itself (ADR 057). A text that is too long to
 * be taken apart has the one part '' and is always compared.
 */
export const partsOfWords = statement(`
  -- Its cost is told so that nobody walks the alerts by time and takes each apart.
  CREATE FUNCTION text_parts(document text) RETURNS text[] IMMUTABLE PARALLEL SAFE COST 5000
  LANGUAGE plpgsql AS $$
  BEGIN
    IF length(document) > 8000 THEN RETURN ARRAY['']; END IF;
    RETURN coalesce((SELECT array_agg(DISTINCT part) FROM (
      SELECT letter || lead(letter) OVER (ORDER BY place) || lead(letter, 2) OVER (ORDER BY place) AS part
      FROM unnest(string_to_array(document, NULL)) WITH ORDINALITY AS t (letter, place)
    ) AS parts WHERE part IS NOT NULL), '{}');
  END $$;

  CREATE FUNCTION alert_text(
    title text, description text, source text, source_ref text, host text,
    iocs text[], tags text[], techniques text[]
  ) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN lower(concat_ws(' ', title, source, source_ref, host, array_to_string(iocs, ' '),
      array_to_string(tags, ' '), array_to_string(techniques, ' '), description));
  END $$;
  CREATE FUNCTION case_text(title text, description text) RETURNS text IMMUTABLE PARALLEL SAFE
    RETURN lower(title || ' ' || coalesce(description, ''));

  CREATE INDEX alerts_parts ON alerts USING gin (text_parts(alert_text(
    title, description, source, source_ref, host, iocs, tags, mitre_techniques)));
  CREATE INDEX cases_parts ON cases USING gin (text_parts(case_text(title, description)));
`)
