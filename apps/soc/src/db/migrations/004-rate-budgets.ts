import { statement } from './statement.ts'

/**
 * Budgets shared by all processes. A process leases a tenth of what is left, so a busy caller costs
 * a query now and then, and near the end of the budget the count is exact. Unlogged: after a crash
 * of the database everyone starts a new minute.
 */
export const rateBudgets = statement(`
  CREATE UNLOGGED TABLE rate_budgets (
    key text PRIMARY KEY,
    ends_at timestamptz NOT NULL,
    used integer NOT NULL
  );

  CREATE FUNCTION lease_rate(
    client text, budget integer, window_ms integer,
    OUT granted integer, OUT remaining_ms integer
  ) LANGUAGE plpgsql AS $$
  DECLARE
    moment timestamptz := clock_timestamp();
    row_found rate_budgets;
  BEGIN
    INSERT INTO rate_budgets VALUES (client, moment + window_ms * interval '1 ms', 0)
      ON CONFLICT (key) DO NOTHING;
    SELECT * INTO row_found FROM rate_budgets WHERE key = client FOR UPDATE;
    IF row_found.ends_at <= moment THEN
      row_found.used := 0;
      row_found.ends_at := moment + window_ms * interval '1 ms';
    END IF;
    granted := greatest(0, least(budget - row_found.used, ceil((budget - row_found.used) / 10.0)));
    remaining_ms := ceil(extract(epoch FROM row_found.ends_at - moment) * 1000);
    UPDATE rate_budgets SET used = row_found.used + granted, ends_at = row_found.ends_at
      WHERE key = client;
  END $$;
`)
