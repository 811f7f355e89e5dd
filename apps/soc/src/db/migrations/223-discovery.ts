import { statement } from './statement.ts'

/**
 * Which addresses belong to which zone, and who has written to which device. discovery_progress is
 * up to where the stored logs were read: a process that ends goes on there.
 */
export const discovery = statement(`
  CREATE TABLE discovery_networks (
    id uuid PRIMARY KEY,
    network cidr NOT NULL UNIQUE,
    site_id text NOT NULL,
    zone text NOT NULL,
    purdue_level real,
    quiet_until timestamptz(3) NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );

  CREATE TABLE discovery_writers (
    id uuid PRIMARY KEY,
    device_id uuid NOT NULL REFERENCES cps_devices ON DELETE CASCADE,
    address text NOT NULL,
    protocol text NOT NULL,
    writes bigint NOT NULL,
    is_usual boolean NOT NULL,
    accepted_by text,
    first_at timestamptz(3) NOT NULL,
    last_at timestamptz(3) NOT NULL,
    last_command text NOT NULL,
    alerted_at timestamptz(3),
    UNIQUE (device_id, address, protocol)
  );
  CREATE INDEX discovery_writers_last ON discovery_writers (last_at, id);
  CREATE INDEX cps_devices_macs ON cps_devices USING gin (mac_addresses);

  CREATE TABLE discovery_progress (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    read_until timestamptz(3) NOT NULL
  );
`)
