import { statement } from './statement.ts'

/**
 * Parsers of the user's own. What they say is a version, which never changes; the parser names the
 * one that reads, if any does. Every process hears of a change and takes it over.
 */
export const ownParsers = statement(`
  CREATE TABLE log_parsers (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL,
    source text NOT NULL,
    version integer NOT NULL,
    enabled_version integer,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_by text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE log_parser_versions (
    parser_id uuid NOT NULL REFERENCES log_parsers (id) ON DELETE CASCADE,
    version integer NOT NULL,
    definition jsonb NOT NULL,
    samples jsonb NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (parser_id, version)
  );
  CREATE FUNCTION tell_log_parsers() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('soc_parsers', '');
    RETURN NULL;
  END $$;
  CREATE TRIGGER log_parsers_changed AFTER INSERT OR UPDATE OR DELETE ON log_parsers
    FOR EACH STATEMENT EXECUTE FUNCTION tell_log_parsers();
`)
