import { statement } from './statement.ts'

/**
 * By whom a Sigma rule was read, and what it meant then: a later version reads it again, unless
 * somebody has changed it or it came with mappings of its own, of which nothing is kept. A rule of the
 * starter pack that nobody has changed since it was installed follows its file.
 */
export const readAgain = statement(`
  ALTER TABLE detection_rules ADD read_by text;
  ALTER TABLE detection_rules ADD made text;
  ALTER TABLE detection_starter_rules ADD file text;
  ALTER TABLE detection_starter_rules ADD version integer NOT NULL DEFAULT 1;
`)
