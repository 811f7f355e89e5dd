import type pg from 'pg'

const MADE = `
  SELECT n,
    now() - (count - n) * interval '20 seconds' AS at,
    'source-' || n % 20 AS source,
    (ARRAY['info','low','low','low','medium','medium','medium','high','high','critical'])
      [1 + abs(hashint4(n) % 10)] AS severity,
    -- As in life: what is new is open, what is old is closed.
    CASE WHEN n > count * 0.95 THEN (ARRAY['new','triaged','investigating'])[1 + n % 3]
         ELSE (ARRAY['resolved','closed','closed','closed','suppressed','escalated'])[1 + n % 6]
    END AS status
  FROM generate_series(1, $1::int) AS n, (SELECT $1::int AS count) AS given`

/** `count` alerts, 20 seconds apart up to now. Indexes are made afterwards: that is far faster. */
export async function seedAlerts(client: pg.Client, count: number): Promise<void> {
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(`
    SELECT indexname, indexdef FROM pg_indexes
    WHERE tablename = 'alerts' AND indexname NOT IN ('alerts_pkey', 'alerts_dedup')`)
  await client.query('BEGIN')
  await client.query('ALTER TABLE alerts DISABLE TRIGGER USER')
  for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`)
  await client.query(
    `INSERT INTO alerts (id, title, description, source, severity, status, iocs, host, tags,
       rule_id, mitre_techniques, dedup_hash, raw, assignee,
       created_at, updated_at, first_seen_at, last_seen_at)
     SELECT gen_random_uuid(), 'Suspicious process ' || n,
       'powershell.exe started by user' || n % 977, source, severity, status,
       ARRAY['10.' || n % 250 || '.' || n % 199 || '.7'], 'host-' || n % 5000,
       ARRAY['tag-' || n % 50], 'rule-' || n % 300, ARRAY['T1059'],
       encode(sha256(n::text::bytea), 'hex'), '{"EventID": 4688}',
       CASE WHEN n % 10 = 0 THEN 'analyst-' || n % 40 END, at, at, at, at
     FROM (${MADE}) AS made`,
    [count],
  )
  await client.query(`
    INSERT INTO alert_counts
    SELECT severity, status, source, count(*) FROM alerts GROUP BY severity, status, source`)
  await client.query(`
    INSERT INTO alert_hours
    SELECT date_trunc('hour', created_at, 'UTC'), severity, count(*), count(*), 60000 * count(*),
      count(*), 600000 * count(*)
    FROM alerts GROUP BY 1, 2`)
  for (const { indexdef } of indexes) await client.query(indexdef)
  await client.query('ALTER TABLE alerts ENABLE TRIGGER USER')
  await client.query('COMMIT')
  await client.query('VACUUM ANALYZE alerts')
}
