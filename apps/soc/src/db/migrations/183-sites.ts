import { statement } from './statement.ts'

/** Other tables name a site by its id as text, and keep it when they know of one that is not here. */
export const sites = statement(`
  CREATE TABLE sites (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    region text,
    timezone text NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'maintenance', 'inactive')),
    profile jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX sites_name ON sites (lower(name));
  CREATE INDEX edr_endpoints_site ON edr_endpoints (site_id) WHERE site_id IS NOT NULL;
`)
