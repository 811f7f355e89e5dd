import { statement } from './statement.ts'

/** The last values that a gateway reported for itself or for a device behind it. */
export const cpsMetrics = statement(`
  CREATE TABLE cps_metrics (
    device_id uuid PRIMARY KEY REFERENCES cps_devices ON DELETE CASCADE,
    metrics jsonb NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
`)
