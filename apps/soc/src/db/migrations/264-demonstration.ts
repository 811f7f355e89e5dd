import { statement } from './statement.ts'

/** One row while a demonstration is here: what is still to do survives a restart. */
export const demonstration = statement(`
  CREATE TABLE demonstration (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('loading', 'loaded', 'removing')),
    step text,
    events integer NOT NULL DEFAULT 0,
    begun_by text NOT NULL,
    begun_at timestamptz(3) NOT NULL DEFAULT now()
  );
`)
