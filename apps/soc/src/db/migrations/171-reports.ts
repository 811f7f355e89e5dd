import { statement } from './statement.ts'

/** A report outlives its case: it says what was known when it was made. */
export const reports = statement(`
  CREATE TABLE reports (
    id uuid PRIMARY KEY,
    report_type text NOT NULL,
    format text NOT NULL,
    case_id uuid REFERENCES cases,
    title text NOT NULL,
    content bytea NOT NULL,
    sha256 text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX reports_listed ON reports (created_at, id);
  CREATE INDEX reports_by_case ON reports (case_id, created_at, id) WHERE case_id IS NOT NULL;
`)
