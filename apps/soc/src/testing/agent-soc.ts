import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { agentCalled } from '@manara/soc-contract/agent-names'
import type { AgentFinding } from '@manara/soc-contract/agents'
import type { Proposal } from '@manara/soc-contract/proposals'
import { startTestSoc } from './test-soc.ts'
import { until } from './until.ts'

const idOf = (name: string) => agentCalled(name)?.id ?? name

/** A whole service in which only the agents that a test is about work. */
export async function agentSoc(t: TestContext, ...names: string[]) {
  const soc = await startTestSoc(t, { hasAgents: true })
  await soc.query(`UPDATE agents SET enabled = id = ANY($1), due_at = 'infinity'`, [
    names.map(idOf),
  ])
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown, by = as) =>
    soc.call(method, path, { as: by, body })
  let raised = 0

  async function raise(more: object = {}): Promise<string> {
    raised += 1
    const body = { title: `Alert ${raised}`, source: 'test', severity: 'high', ...more }
    const reply = await call('POST', '/alerts', body)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id
  }

  /** `ago` in minutes, the newest last; answers the ids. */
  async function ingest(...events: ({ ago?: number } & Record<string, unknown>)[]) {
    const sent = events.map(({ ago = 0, ...event }, index) => ({
      id: `log-${crypto.randomUUID()}-${index}`,
      timestamp: new Date(Date.now() - ago * 60_000).toISOString(),
      ...event,
    }))
    const reply = await call('POST', '/siem/logs', { events: sent })
    assert.equal(reply.body.accepted, sent.length, JSON.stringify(reply.body))
    return sent.map(({ id }) => id)
  }

  /** All that it was asked for is done; what waits for a quiet moment does not wait here. */
  async function worked(name: string): Promise<void> {
    const agent = idOf(name)
    await until(`${name} is done`, async () => {
      await soc.query(`UPDATE agent_jobs SET run_at = now() WHERE status = 'pending'
        AND attempts = 0 AND run_at > now()`)
      const [left] = await soc.query<{ unseen: string; open: string; failed: string | null }>(
        `SELECT (SELECT count(*) FROM outbox WHERE seq IS NULL
            OR seq > (SELECT seq FROM agent_event_head)) AS unseen,
          (SELECT count(*) FROM agent_jobs WHERE agent_id = $1
            AND status IN ('pending', 'running', 'joined')) AS open,
          (SELECT max(error) FROM agent_jobs WHERE agent_id = $1 AND error IS NOT NULL) AS failed`,
        [agent],
      )
      assert.equal(left?.failed ?? null, null, `${name} failed`)
      return left?.unseen === '0' && left.open === '0'
    })
  }

  /** Its timer rings now. */
  async function ring(name: string): Promise<void> {
    await soc.query(`UPDATE agents SET due_at = now() WHERE id = $1`, [idOf(name)])
    await until('the timer rang', async () => {
      const [row] = await soc.query(`SELECT FROM agents WHERE id = $1 AND due_at > now()`, [
        idOf(name),
      ])
      return row !== undefined
    })
    await worked(name)
  }

  const findings = async (name: string): Promise<AgentFinding[]> =>
    (await call('GET', `/agents/findings?agent_id=${name}&limit=200`)).body.items
  const proposals = async (name: string): Promise<Proposal[]> =>
    (await call('GET', `/agents/proposals?agent_id=${name}&limit=200`)).body.items

  async function saysNothing(name: string) {
    assert.deepEqual(
      (await findings(name)).map(({ claim }) => claim),
      [],
    )
    assert.deepEqual(
      (await proposals(name)).map(({ title }) => title),
      [],
    )
  }

  /** An endpoint with an agent, as an EDR would have reported it. */
  async function endpoint(hostname: string, more: Record<string, unknown> = {}): Promise<string> {
    const id = crypto.randomUUID()
    const fields = {
      id,
      hostname,
      external_id: hostname,
      ips: [],
      status: 'online',
      first_seen_at: new Date(),
      last_seen_at: new Date(),
      ...more,
    }
    const names = Object.keys(fields)
    await soc.query(
      `INSERT INTO edr_endpoints (${names.join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})`,
      Object.values(fields),
    )
    return id
  }

  const accept = (id: string) => call('POST', `/agents/proposals/${id}/accept`, {})

  return {
    ...soc,
    call,
    raise,
    ingest,
    worked,
    ring,
    findings,
    proposals,
    saysNothing,
    endpoint,
    accept,
  }
}
