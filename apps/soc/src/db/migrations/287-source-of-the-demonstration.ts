import { statement } from './statement.ts'

/** Of a load's own. Those of before had this one, which any sender may write. */
export const sourceOfTheDemonstration = statement(`
  ALTER TABLE demonstration ADD COLUMN source text NOT NULL DEFAULT 'demonstration';
`)
