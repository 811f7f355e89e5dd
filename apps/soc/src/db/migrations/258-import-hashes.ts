import { statement } from './statement.ts'

/** Import hashes are a type of their own. What was allowed still is, so no row is read again. */
export const importHashes = statement(`
  ALTER TABLE iocs DROP CONSTRAINT iocs_type_check;
  ALTER TABLE iocs ADD CONSTRAINT iocs_type_check CHECK (type IN
    ('ip', 'cidr', 'domain', 'url', 'sha256', 'sha1', 'md5', 'imphash', 'email', 'cve')) NOT VALID;
`)
