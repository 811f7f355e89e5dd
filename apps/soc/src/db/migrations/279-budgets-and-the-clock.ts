import { statement } from './statement.ts'

/**
 * A window that ends later than a whole one from now was begun before the clock was put back: it is
 * over, or a minute would last as long as the clock was ahead. The time is taken once the row is
 * held, since others begin windows meanwhile.
 */
export const budgetsAndTheClock = statement(`
  CREATE OR REPLACE FUNCTION lease_rate(
    client text, budget integer, window_ms integer,
    OUT granted integer, OUT remaining_ms integer
  ) LANGUAGE plpgsql AS $$
  DECLARE
    one_window interval := window_ms * interval '1 ms';
    moment timestamptz;
    row_found rate_budgets;
  BEGIN
    INSERT INTO rate_budgets VALUES (client, clock_timestamp() + one_window, 0)
      ON CONFLICT (key) DO NOTHING;
    SELECT * INTO row_found FROM rate_budgets WHERE key = client FOR UPDATE;
    moment := clock_timestamp();
    IF row_found.ends_at <= moment OR row_found.ends_at > moment + one_window THEN
      row_found.used := 0;
      row_found.ends_at := moment + one_window;
    END IF;
    granted := greatest(0, least(budget - row_found.used, ceil((budget - row_found.used) / 10.0)));
    remaining_ms := ceil(extract(epoch FROM row_found.ends_at - moment) * 1000);
    UPDATE rate_budgets SET used = row_found.used + granted, ends_at = row_found.ends_at
      WHERE key = client;
  END $$;
`)
