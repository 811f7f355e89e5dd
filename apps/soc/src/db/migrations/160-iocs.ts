import { statement } from './statement.ts'

/**
 * changed_xid is the transaction that wrote the row last. A reader remembers the oldest transaction
 * that was still open when it looked, and reads from there on: nothing that commits late is missed,
 * as it would be with a time or a number given before the commit.
 *
 * The stored logs were searched for all that came before ioc_lookback.done_xid: one number, where a
 * mark on each would rewrite a million rows.
 *
 * ioc_score is the one definition of what is left of a score: half after each half-life of the type
 * (docs/iocs.md), nothing outside of the time it is valid for or once revoked.
 */
export const iocs = statement(`
  CREATE FUNCTION ioc_half_life_days(type text) RETURNS double precision IMMUTABLE PARALLEL SAFE
    RETURN CASE type
      WHEN 'ip' THEN 30 WHEN 'cidr' THEN 30 WHEN 'url' THEN 30
      WHEN 'domain' THEN 90 WHEN 'email' THEN 180
      WHEN 'cve' THEN 'infinity'::float8 ELSE 365 END;

  CREATE TABLE iocs (
    id uuid PRIMARY KEY,
    type text NOT NULL COLLATE "C" CHECK (type IN
      ('ip', 'cidr', 'domain', 'url', 'sha256', 'sha1', 'md5', 'email', 'cve')),
    value text NOT NULL COLLATE "C",
    score smallint NOT NULL CHECK (score BETWEEN 0 AND 100),
    scored_at timestamptz(3) NOT NULL DEFAULT now(),
    tlp text NOT NULL,
    valid_from timestamptz(3) NOT NULL,
    valid_until timestamptz(3),
    revoked boolean NOT NULL DEFAULT false,
    sources text[] NOT NULL,
    tags text[] NOT NULL,
    description text,
    sightings integer NOT NULL DEFAULT 0,
    first_sighted_at timestamptz(3),
    last_sighted_at timestamptz(3),
    lookback_partial boolean NOT NULL DEFAULT false,
    before_block jsonb,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    created_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    UNIQUE (type, value)
  ) WITH (fillfactor = 90);
  CREATE INDEX iocs_created ON iocs (created_at, id);
  CREATE INDEX iocs_changed ON iocs (changed_xid);
  CREATE INDEX iocs_added ON iocs (created_xid);

  CREATE TABLE ioc_lookback (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    done_xid xid8 NOT NULL
  );
  INSERT INTO ioc_lookback (done_xid) VALUES ('0');

  CREATE FUNCTION ioc_lookback(ioc iocs) RETURNS text STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE WHEN ioc.lookback_partial THEN 'partial'
      WHEN ioc.created_xid < (SELECT done_xid FROM ioc_lookback) THEN 'done'
      ELSE 'pending' END
  $$;

  -- Told with the commit, whoever wrote it; counting sightings tells nobody.
  CREATE FUNCTION tell_iocs() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NOTIFY soc_iocs;
    RETURN NULL;
  END $$;
  CREATE TRIGGER iocs_told AFTER INSERT OR UPDATE OF changed_xid ON iocs
    FOR EACH STATEMENT EXECUTE FUNCTION tell_iocs();

  CREATE FUNCTION ioc_score(ioc iocs) RETURNS integer STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE
      WHEN ioc.revoked OR ioc.valid_from > now() OR ioc.valid_until <= now() THEN 0
      ELSE round(ioc.score * power(0.5, greatest(0, extract(epoch FROM now() - ioc.scored_at))
        / 86400 / ioc_half_life_days(ioc.type)))::integer END
  $$;

  CREATE TABLE ioc_sightings (
    ioc_id uuid NOT NULL REFERENCES iocs ON DELETE CASCADE,
    log_id text NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    direction text NOT NULL CHECK (direction IN ('arrival', 'lookback')),
    host text,
    PRIMARY KEY (ioc_id, log_id)
  );
  CREATE INDEX ioc_sightings_seen ON ioc_sightings (ioc_id, seen_at, log_id);
`)
