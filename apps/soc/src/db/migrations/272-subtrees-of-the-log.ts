import { statement } from './statement.ts'

/**
 * The hashes of complete subtrees of the audit log, of 256 entries and of more: to prove an entry
 * some of them are read instead of all entries (ADR 127). Those of a log from before are made when
 * they are first asked for.
 */
export const subtreesOfTheLog = statement(`
  CREATE TABLE audit_subtrees (
    first bigint,
    size bigint,
    hash text NOT NULL,
    PRIMARY KEY (first, size)
  );
`)
