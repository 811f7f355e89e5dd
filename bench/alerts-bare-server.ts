import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The least a service could do: the same statements as the alert routes, on the same database,
 * behind a bare Fastify. No sign-in, no checks, no rate limits, no schema.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
const http = Fastify()

const COLUMNS = `id, title, description, source, source_ref, severity, severity_rank, status,
  resolution, iocs, host, site_id, assignee, tags, rule_id, mitre_techniques, dedup_hash,
  occurrence_count, first_seen_at, last_seen_at, case_id, raw, created_at, updated_at`

http.get<{ Querystring: { status: string } }>('/alerts', async ({ query }) => {
  const { rows } = await pool.query(
    `SELECT ${COLUMNS},
       (SELECT coalesce(sum(amount), 0) FROM alert_counts WHERE status = $1) AS total
     FROM alerts WHERE status = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [query.status, 51],
  )
  return { items: rows.slice(0, 50), total: Number(rows[0].total), has_more: rows.length > 50 }
})

type Posted = { title: string; source: string; severity: string; iocs: string[]; host: string }

http.post<{ Body: Posted }>('/alerts', async ({ body }, reply) => {
  const { title, source, severity, iocs, host } = body
  const hash = createHash('sha256')
    .update(JSON.stringify([title, source, iocs]))
    .digest('hex')
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query(
      `INSERT INTO alerts (id, title, source, severity, status, iocs, host, tags,
         mitre_techniques, dedup_hash)
       VALUES ($1, $2, $3, $4, 'new', $5, $6, '{}', '{}', $7)
       ON CONFLICT (dedup_hash) DO UPDATE SET occurrence_count = alerts.occurrence_count + 1,
         last_seen_at = now(), updated_at = now()
       RETURNING ${COLUMNS}`,
      [randomUUID(), title, source, severity, iocs, host, hash],
    )
    await client.query(
      `WITH audited AS (
         INSERT INTO audit_log (actor, actor_kind, action, target, outcome, after)
         VALUES ('bench', 'user', 'alert.create', $1, 'done', $2))
       INSERT INTO outbox (event, data) VALUES ('alert.created', $2)`,
      [`alert:${rows[0].id}`, JSON.stringify(rows[0])],
    )
    await client.query('COMMIT')
    tellWritten()
    return reply.code(rows[0].occurrence_count === 1 ? 201 : 200).send(rows[0])
  } finally {
    client.release()
  }
})

/** As the service does: its sealing of the audit log then follows these writes in the same way. */
let told = false
function tellWritten() {
  if (told) return
  told = true
  setTimeout(() => {
    told = false
    void pool.query(`SELECT pg_notify('soc_written', '')`)
  }, 15)
}

process.stdout.write(`bare      ${await http.listen({ host: '127.0.0.1', port: 0 })}\n`)
