import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { agentQueue } from '../../../testing/agent-queue.ts'
import { until } from '../../../testing/until.ts'
import type { Agents, Job, NewJob, Run } from './agent-work.ts'
import { enqueueJobs } from './enqueue-jobs.ts'

const AGENT = 'agent-001'

const jobOf = (key: string, more: Partial<NewJob> = {}): NewJob => ({
  agent: AGENT,
  key,
  input: { key },
  priority: 2,
  ...more,
})

const many = (count: number, more: Partial<NewJob> = {}) =>
  Array.from({ length: count }, (_, index) => jobOf(`job-${index}`, more))

test('however many processes there are, no more jobs run at a time than the agent has instances', async (t) => {
  for (const [instances, processes] of [
    [1, 2],
    [4, 3],
  ] as const) {
    const queue = await agentQueue(t)
    await queue.run(`UPDATE agents SET instances = ${instances}`)
    let running = 0
    let most = 0
    const worked: string[] = []
    const work = async (job: Job) => {
      running += 1
      most = Math.max(most, running)
      for (let n = Math.ceil(Math.random() * 20); n > 0; n -= 1) await turn()
      worked.push(job.key)
      running -= 1
    }
    await queue.add(...many(40))
    for (let n = 0; n < processes; n += 1) await queue.process({ [AGENT]: { run: work } })
    await queue.allAre(AGENT, 'done')
    assert.ok(most <= instances, `${most} ran at a time, ${instances} may`)
    assert.equal(new Set(worked).size, 40)
    assert.equal(worked.length, 40, 'each once')
  }
})

test('the same key again is no further job', async (t) => {
  const queue = await agentQueue(t)
  assert.equal(await queue.add(jobOf('a'), jobOf('a')), 1)
  assert.equal(await queue.add(jobOf('a')), 0)
  assert.equal(await queue.add(jobOf('a', { agent: 'agent-002' })), 1)
})

test('many jobs of a group put the one that waits off once, with the greatest urgency of them', async (t) => {
  const queue = await agentQueue(t)
  const putOff = { group: 'web-1', isPutOff: true, delayMs: 60_000 }
  await queue.add(jobOf('first', putOff))
  const others = many(50, putOff).map((job, n) => ({ ...job, priority: n % 5 }))
  const elsewhere = jobOf('elsewhere', { ...putOff, group: 'web-2' })
  const fresh = await queue.db
    .transaction()
    .execute((tx) => enqueueJobs(tx, [...others, elsewhere]))
  assert.equal(fresh, 1)
  // Which statement of the transaction wrote it last: the first one.
  const { rows } = await queue.run(
    `SELECT priority, cmin::text AS statement FROM agent_jobs WHERE key = 'first'`,
  )
  assert.deepEqual(rows, [{ priority: 4, statement: '0' }])
})

test('an agent that fails at an event keeps no other from it, nor itself from the next', async (t) => {
  const queue = await agentQueue(t)
  const run = async () => {}
  const agents = {
    [AGENT]: {
      jobsOf({ data }: { data: Record<string, unknown> }) {
        if (data.id === 'odd') throw new Error('of odd ones I know nothing')
        return [{ key: String(data.id), input: {}, priority: 2 }]
      },
      run,
    },
    // What the database refuses, as a number that is none.
    'agent-002': { jobsOf: () => [{ key: 'x', input: {}, priority: Number.NaN }], run },
    'agent-003': {
      jobsOf: ({ data }: { data: Record<string, unknown> }) => [
        { key: String(data.id), input: {}, priority: 2 },
      ],
      run,
    },
  }
  const told = (id: string) => ({ event: 'thing.changed', data: { id } })
  await queue.watch(agents, [told('odd'), told('even')])
  assert.equal((await queue.jobs(AGENT)).length, 1)
  assert.equal((await queue.jobs('agent-002')).length, 0)
  assert.equal((await queue.jobs('agent-003')).length, 2)
  const [failed] = await queue.runs(AGENT)
  assert.match(String(failed?.error), /of odd ones I know nothing \(at 1 events, first 1\)/)
  for (let n = 0; n < 4; n += 1) await queue.watch(agents, [told(`later-${n}`)])
  assert.equal((await queue.jobs('agent-003')).length, 6, 'each event once')
  const { status, errors_24h, last_error } = await queue.agent('agent-002')
  assert.equal(status, 'error', 'five times in a row')
  assert.equal(errors_24h, 5)
  assert.match(String(last_error), /priority/)
  assert.equal((await queue.agent(AGENT)).status, 'active')
})

test('disable and scale 0 begin nothing new and let running work end', async (t) => {
  const queue = await agentQueue(t)
  const held = Promise.withResolvers<void>()
  const begun: string[] = []
  const run = async (job: Job) => {
    begun.push(job.key)
    await held.promise
  }
  await queue.run(`UPDATE agents SET instances = 1`)
  await queue.add(jobOf('first', { priority: 3 }), jobOf('second'))
  const { wake } = await queue.process({ [AGENT]: { run } })
  await until('one runs', () => begun.length === 1)
  // The second way in one statement: in between it would be on, and the next job begin.
  for (const off of ['enabled = false', 'enabled = true, instances = 0']) {
    await queue.run(`UPDATE agents SET ${off} WHERE id = '${AGENT}'`)
    held.resolve()
    await until('the first is done', async () =>
      (await queue.jobs(AGENT)).some(({ status }) => status === 'done'),
    )
    wake()
    await turn()
    assert.deepEqual(begun, ['first'])
  }
  await queue.run(`UPDATE agents SET instances = 1 WHERE id = '${AGENT}'`)
  wake()
  await queue.allAre(AGENT, 'done')
})

test('what a process that stalls has found is not stored when another took the job over', async (t) => {
  const queue = await agentQueue(t)
  const stalled = Promise.withResolvers<void>()
  const [alert] = await insertAlert(queue)
  const saying = (claim: string) => (run: Run) =>
    run.found({
      key: claim,
      kind: 'finding',
      claim,
      reasons: [],
      weight: 1,
      cites: { alert_ids: [alert] },
    })
  await queue.add(jobOf('a'))
  const agents: Agents = {
    [AGENT]: {
      async run({ key }, run) {
        if (key === 'b') return
        await stalled.promise
        saying('late')(run)
      },
    },
  }
  // So long that it is not kept meanwhile.
  const first = await queue.process(agents, { leaseMs: 3_600_000 })
  await until('it runs', async () => (await queue.jobs(AGENT))[0]?.status === 'running')
  await queue.run(`UPDATE agent_jobs SET lease_until = now() - interval '1 second'`)
  // Of what it runs itself it begins nothing again.
  await queue.add(jobOf('b'))
  await until('the other is done', async () => (await queue.jobs(AGENT))[1]?.status === 'done')
  assert.equal((await queue.jobs(AGENT))[0]?.attempts, 1)
  delete agents[AGENT]
  await queue.run(
    `UPDATE agent_jobs SET lease_until = now() - interval '1 second' WHERE status = 'running'`,
  )
  await queue.process({ [AGENT]: { run: async (_job, run) => saying('in time')(run) } })
  await queue.allAre(AGENT, 'done')
  stalled.resolve()
  await first.stop()
  const found = await queue.db.selectFrom('agent_findings').select('claim').execute()
  assert.deepEqual(found, [{ claim: 'in time' }])
  assert.equal((await queue.jobs(AGENT))[0]?.attempts, 2)
})

test('a failing job is tried after 1 s, 10 s and 2 min, then it is failed and visible', async (t) => {
  const queue = await agentQueue(t)
  await queue.run(`UPDATE agents SET recovered_at = 'infinity'`)
  await queue.add(jobOf('bad'))
  let count = 0
  const looked = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const { wake } = await queue.process({
    [AGENT]: {
      async run() {
        // Not before it was looked at how the one before had ended.
        await looked[count - 1]?.promise
        count += 1
        throw new Error(`broken ${count}`)
      },
    },
  })
  for (const [attempt, wait] of [
    [1, 1_000],
    [2, 10_000],
    [3, 120_000],
  ] as const) {
    await until('it failed', async () => {
      const [job] = await queue.jobs(AGENT)
      return job?.error === `broken ${attempt}`
    })
    const left = (await queue.jobs(AGENT))[0]?.wait_ms ?? 0
    assert.ok(left <= wait && left > wait - 20_000, `${left} of ${wait}`)
    await queue.run(`UPDATE agent_jobs SET run_at = now()`)
    looked[attempt - 1]?.resolve()
    wake()
  }
  await queue.allAre(AGENT, 'failed')
  const agent = await queue.agent(AGENT)
  assert.deepEqual([agent.jobs_failed, agent.errors_24h, agent.last_error], [1, 4, 'broken 4'])
  assert.deepEqual(
    (await queue.runs(AGENT)).map(({ status, error, attempt }) => [status, error, attempt]),
    [1, 2, 3, 4].map((n) => ['failed', `broken ${n}`, n]),
  )
})

test('error after five failures in a row; a probe every five minutes brings it back', async (t) => {
  const queue = await agentQueue(t)
  await queue.run(`UPDATE agents SET instances = 1`)
  let isBroken = true
  await queue.add(...many(5))
  const { wake } = await queue.process({
    [AGENT]: {
      async run() {
        if (isBroken) throw new Error('broken')
      },
    },
  })
  await until('it is in error', async () => (await queue.agent(AGENT)).status === 'error')
  await queue.run(`UPDATE agent_jobs SET run_at = now()`)
  wake()
  await turn()
  assert.equal((await queue.runs(AGENT)).length, 5, 'nothing begins before the probe')
  const probe = async (expected: string) => {
    const before = (await queue.runs(AGENT)).length
    await queue.run(`UPDATE agents SET probe_at = now() WHERE probe_at IS NOT NULL`)
    wake()
    await until('it was probed', async () => (await queue.runs(AGENT)).length > before)
    assert.equal((await queue.agent(AGENT)).status, expected)
  }
  await probe('error')
  isBroken = false
  await probe('active')
  const { rows } = await queue.run(
    `SELECT DISTINCT actor, actor_kind FROM audit_log WHERE action IN ('agent.fail', 'agent.recover')`,
  )
  assert.deepEqual(rows, [{ actor: 'agent:Triage', actor_kind: 'agent' }])
  await queue.run(`UPDATE agent_jobs SET run_at = now() WHERE status = 'pending'`)
  wake()
  await queue.allAre(AGENT, 'done')
})

test('a probe of an agent that has nothing to do tries what it had given up', async (t) => {
  const queue = await agentQueue(t)
  await queue.add(jobOf('a'))
  await queue.run(`UPDATE agent_jobs SET status = 'failed', attempts = 4, ended_at = now()`)
  await queue.run(`UPDATE agents SET failing_since = now(), probe_at = now() WHERE id = '${AGENT}'`)
  await queue.process({ [AGENT]: { run: async () => {} } })
  await queue.allAre(AGENT, 'done')
  assert.equal((await queue.agent(AGENT)).status, 'active')
})

test('the kill switch breaks off what runs, and it begins again afterwards', async (t) => {
  const queue = await agentQueue(t)
  let begun = 0
  let brokenOff = 0
  await queue.add(jobOf('a'))
  const { wake } = await queue.process({
    [AGENT]: {
      async run(_job, { signal }) {
        begun += 1
        if (begun > 1) return
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('ended')))
        }).finally(() => {
          brokenOff += 1
        })
      },
    },
  })
  await until('it runs', () => begun === 1)
  await queue.run(`UPDATE agent_pause SET is_paused = true`)
  wake()
  await until('it is broken off', () => brokenOff === 1)
  await queue.allAre(AGENT, 'pending')
  await queue.run(`UPDATE agent_jobs SET run_at = now()`)
  wake()
  await turn()
  assert.equal(begun, 1)
  await queue.run(`UPDATE agent_pause SET is_paused = false`)
  wake()
  await queue.allAre(AGENT, 'done')
  assert.deepEqual([begun, (await queue.jobs(AGENT))[0]?.attempts], [2, 1])
  assert.equal((await queue.agent(AGENT)).errors_24h, 0)
})

test('in a storm jobs of one host and user are worked together, the most severe first', async (t) => {
  const queue = await agentQueue(t)
  await queue.run(`UPDATE agents SET instances = 1`)
  await queue.add(
    ...many(150, { group: 'web-1|root' }),
    jobOf('severe', { priority: 4, group: 'db-1|' }),
    jobOf('old', { priority: 0, group: 'old-1|' }),
  )
  await queue.run(
    `UPDATE agent_jobs SET created_at = now() - interval '9 minutes' WHERE key = 'old'`,
  )
  const worked: [string, number][] = []
  await queue.process({
    [AGENT]: { run: async (job) => void worked.push([job.key, job.joined.length]) },
  })
  await queue.allAre(AGENT, 'done')
  assert.deepEqual(worked.slice(0, 3), [
    ['old', 0],
    ['severe', 0],
    [worked[2]?.[0], 149],
  ])
})

test('what was joined to a job that is given up is tried alone', async (t) => {
  const queue = await agentQueue(t)
  await queue.add(...many(2, { group: 'g' }))
  await queue.run(`
    UPDATE agent_jobs SET attempts = 3 WHERE key = 'job-0';
    UPDATE agent_jobs SET status = 'joined', joined_to = (SELECT id FROM agent_jobs WHERE key = 'job-0')
      WHERE key = 'job-1'`)
  await queue.process({
    [AGENT]: {
      async run({ key, joined }) {
        if (key === 'job-0') throw new Error(`broken, with ${joined.length}`)
      },
    },
  })
  await until('both are over', async () => {
    const states = (await queue.jobs(AGENT)).map(({ status }) => status).sort()
    return states.join() === 'done,failed'
  })
})

test('a claim that cites what is not there is dropped; over budget ends as partial', async (t) => {
  const queue = await agentQueue(t)
  const [alert] = await insertAlert(queue)
  const finding = (key: string, cites: object) => ({
    key,
    kind: 'finding' as const,
    claim: key,
    reasons: [],
    weight: 50,
    cites,
  })
  await queue.add(jobOf('a'))
  await queue.process({
    [AGENT]: {
      async run(_job, run) {
        run.found(finding('good', { alert_ids: [alert] }))
        run.found(finding('alert gone', { alert_ids: [alert, crypto.randomUUID()] }))
        run.found(finding('no alert at all', { alert_ids: ['x'] }))
        run.found(finding('event gone', { log_ids: ['nowhere'] }))
        run.found(finding('rests on nothing', {}))
        for (;;) await run.logs.search({} as never)
      },
    },
  })
  await queue.allAre(AGENT, 'done')
  const found = await queue.db.selectFrom('agent_findings').select('claim').execute()
  assert.deepEqual(found, [{ claim: 'good' }])
  const [run] = await queue.runs(AGENT)
  assert.deepEqual(
    [run?.status, run?.partial, run?.dropped, run?.used.queries],
    ['partial', '40 queries were used up', 4, 40],
  )
})

async function insertAlert(queue: Awaited<ReturnType<typeof agentQueue>>): Promise<[string]> {
  const id = crypto.randomUUID()
  await queue.run(`INSERT INTO alerts (id, title, source, severity, status, iocs, tags,
    mitre_techniques, dedup_hash) VALUES ('${id}', 't', 's', 'low', 'new', '{}', '{}', '{}', '${id}')`)
  return [id]
}
