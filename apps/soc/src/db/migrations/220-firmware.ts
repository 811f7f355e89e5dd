import { statement } from './statement.ts'

/**
 * version_key is the version spelled so that the order of its bytes is the order of versions
 * (features/firmware/domain/version-key.ts); the newest of a product is then one step in an index.
 * What is told about a signature is never stored: it is checked when it is read.
 */
export const firmware = statement(`
  CREATE TABLE firmware_keys (
    id uuid PRIMARY KEY,
    vendor text NOT NULL,
    name text NOT NULL,
    algorithm text NOT NULL CHECK (algorithm IN ('ed25519', 'ecdsa', 'rsa')),
    public_key text NOT NULL,
    fingerprint text NOT NULL COLLATE "C",
    revoked_at timestamptz(3),
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX firmware_keys_of_vendor ON firmware_keys (lower(vendor), fingerprint);

  CREATE TABLE firmware (
    id uuid PRIMARY KEY,
    vendor text NOT NULL,
    product text NOT NULL,
    version text NOT NULL,
    version_key text NOT NULL COLLATE "C",
    sha256 text NOT NULL COLLATE "C" UNIQUE CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    status text NOT NULL CHECK (status IN ('allowed', 'deprecated', 'blocked')),
    released_at timestamptz(3),
    release_notes text,
    signature text,
    key_id uuid REFERENCES firmware_keys,
    origin text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX firmware_newest ON firmware (lower(vendor), lower(product), version_key)
    WHERE status <> 'blocked';
  CREATE INDEX firmware_created ON firmware (created_at, id);

  CREATE FUNCTION firmware_latest(one firmware) RETURNS text STABLE LANGUAGE sql AS $$
    SELECT other.version FROM firmware AS other
    WHERE lower(other.vendor) = lower(one.vendor) AND lower(other.product) = lower(one.product)
      AND other.status <> 'blocked'
    ORDER BY other.version_key DESC LIMIT 1
  $$;
  CREATE FUNCTION firmware_is_outdated(one firmware) RETURNS boolean STABLE LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM firmware AS other
      WHERE lower(other.vendor) = lower(one.vendor) AND lower(other.product) = lower(one.product)
        AND other.status <> 'blocked' AND other.version_key > one.version_key)
  $$;

  CREATE TABLE firmware_components (
    id uuid PRIMARY KEY,
    firmware_id uuid NOT NULL REFERENCES firmware ON DELETE CASCADE,
    name text NOT NULL,
    name_key text NOT NULL COLLATE "C" GENERATED ALWAYS AS (lower(name)) STORED,
    version text,
    type text,
    supplier text,
    purl text,
    cpe text,
    license text,
    sha256 text COLLATE "C"
  );
  CREATE INDEX firmware_components_of ON firmware_components (firmware_id);
  CREATE INDEX firmware_components_name ON firmware_components (name_key, id);
  CREATE INDEX firmware_components_purl ON firmware_components (purl text_pattern_ops)
    WHERE purl IS NOT NULL;
`)
