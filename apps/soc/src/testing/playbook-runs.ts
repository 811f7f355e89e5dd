import assert from 'node:assert/strict'
import type { Execution, Playbook } from '@manara/soc-contract/playbooks'
import type { TestSoc } from './test-soc.ts'
import { until } from './until.ts'

/** For steps that wait longer than any test: of the execution $1, the time is over. */
export const WAIT_IS_OVER = `
  WITH waited AS (UPDATE execution_steps SET output = '{"until": "2026-01-01T00:00:00.000Z"}'
    WHERE execution_id = $1 AND status = 'waiting' RETURNING execution_id)
  UPDATE executions SET resume_at = now() WHERE id IN (SELECT execution_id FROM waited)`

/** Cancels an execution that waits, in the moment in which its step at this place begins. */
export async function cancelAsBegins(
  soc: Pick<TestSoc, 'query' | 'holding'>,
  { call }: Pick<ReturnType<typeof playbookRuns>, 'call'>,
  id: string,
  position: number,
) {
  const waitsForLock = (query: string) =>
    until(`${query} waits`, async () => {
      const rows = await soc.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query ILIKE $1`,
        [query],
      )
      return rows.length > 0
    })
  let cancelled: ReturnType<typeof call> | undefined
  const step = `SELECT FROM execution_steps WHERE execution_id = '${id}' AND position = ${position}`
  await soc.holding(`${step} FOR UPDATE`, async () => {
    await soc.query(WAIT_IS_OVER, [id])
    await waitsForLock('update "execution_steps"%')
    cancelled = call('POST', `/soar/executions/${id}/cancel`)
    await waitsForLock('select%"executions"%for%update%')
  })
  assert.equal((await cancelled)?.status, 200)
}

const LIVE = ['pending', 'running', 'pending_approval']

/** Writing playbooks and following their executions, as one who may do both. */
export function playbookRuns(soc: Pick<TestSoc, 'call'>, as: string) {
  const call = (method: string, path: string, body?: unknown, by = as) =>
    soc.call(method, path, { as: by, body })

  async function write(body: object): Promise<Playbook> {
    const reply = await call('POST', '/soar/playbooks', { name: 'Test', ...body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body
  }

  const read = async (id: string): Promise<Execution> =>
    (await call('GET', `/soar/executions/${id}`)).body

  async function reaches(id: string, isSo: (execution: Execution) => boolean): Promise<Execution> {
    let found: Execution | undefined
    await until(`execution ${id} gets there`, async () => {
      found = await read(id)
      return isSo(found)
    }).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(found)}`)
    })
    return found as Execution
  }

  const over = (id: string) =>
    reaches(id, ({ status, rollback }) => !LIVE.includes(status) && rollback !== 'pending')

  async function start({ id }: { id: string }, body: object = {}): Promise<string> {
    const reply = await call('POST', `/soar/playbooks/${id}/execute`, body)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.execution_id
  }

  const run = async (playbook: { id: string }, body: object = {}) =>
    over(await start(playbook, body))

  return { call, write, read, reaches, over, start, run }
}

export const statuses = ({ steps }: Execution) => steps.map(({ status }) => status)
