import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startTestSoc } from '../testing/test-soc.ts'
import { until } from '../testing/until.ts'

test('who went away before their stream began holds no place in it', async (t) => {
  const soc = await startTestSoc(t)
  const address = new URL(await soc.http.listen({ host: '127.0.0.1', port: 0 }))
  const as = await soc.signInAs('analyst', 'kim')
  const connections = () =>
    new Promise<number>((resolve) => soc.http.server.getConnections((_, open) => resolve(open)))
  // Nobody's budget can be asked for: they wait before the stream begins.
  await soc.holding('LOCK TABLE rate_budgets', async () => {
    const sockets = Array.from({ length: 5 }, () => connect(Number(address.port), '127.0.0.1'))
    for (const socket of sockets) {
      socket.write(
        `GET /api/v1/siem/tail HTTP/1.1\r\nHost: soc\r\nAuthorization: Bearer ${as}\r\n\r\n`,
      )
    }
    await until('they have come', async () => (await waiting()) > 0 && (await connections()) === 5)
    for (const socket of sockets) socket.destroy()
    await until('they have gone', async () => (await connections()) === 0)
  })

  async function waiting() {
    const rows = await soc.query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    return rows.length
  }

  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const reply = await fetch(new URL('/api/v1/siem/tail', address), {
    headers: { authorization: `Bearer ${as}` },
    signal: leaving.signal,
  })
  assert.equal(reply.status, 200, 'five at a time, and nobody is there')
})
