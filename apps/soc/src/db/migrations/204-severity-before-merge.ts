import { statement } from './statement.ts'

/** What the case was before others joined it, so that it is that again when they leave. */
export const severityBeforeMerge = statement(`
  ALTER TABLE case_merges ADD own_severity text;
`)
