import { sql } from 'kysely'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { isPerson } from './domain/indicator-kinds.ts'
import { type Logon, logonTrouble, type Trouble } from './domain/logon-trouble.ts'
import { earliest, isSeen } from './reads/find-events.ts'
import { both, either, onHost, query, valueIs } from './reads/queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK = 7 * 24 * HOUR
const MOST_LOGONS = 20_000
const MOST_ADMINS = 5

const FAILED = query(
  'event_code:4625 OR event_code:4771 OR (event.action:ssh* event.outcome:failure)',
)
const ENTERED = query(
  'event_code:4624 OR event_code:4648 OR (event.action:ssh_login event.outcome:success)',
)
const RIGHTS = query('event_code:4672')

/** Watches logons every minute; each minute of arrival once, with ten minutes before it. */
export function createIdentityGuard(): AgentWork {
  return {
    everyMs: MINUTE,
    async run(_job, run) {
      const until = run.now()
      const from = Math.max(run.lookedUntil ?? until - 10 * MINUTE, until - HOUR)
      run.record(async ({ tx }) => {
        await sql`UPDATE agents SET looked_until = ${new Date(until)} WHERE id = 'agent-009'`.execute(
          tx,
        )
      })
      const fresh = { query: either(FAILED, ENTERED), time: {}, received: { from, to: until } }
      const [first] = await earliest(run, fresh, 1)
      if (!first) return
      const troubles = logonTrouble(await readLogons(run, first.at - 10 * MINUTE))
      run.step('findings', troubles.length)
      for (const trouble of troubles) tell(run, trouble)
      await newRights(run, { from, to: until })
    },
  }
}

async function readLogons(run: Run, from: number): Promise<Logon[]> {
  const logons: Logon[] = []
  const selection = { query: either(FAILED, ENTERED), time: { from } }
  for await (const batch of run.logs.scan(selection)) {
    for (const log of batch) logons.push(toLogon(log))
    if (logons.length >= MOST_LOGONS) break
  }
  run.step('logons read', logons.length)
  return logons
}

function toLogon(log: StoredLog): Logon {
  const { event_code, fields, ...rest } = log
  const outcome = fields['event.outcome']
  return {
    id: rest.id,
    at: rest.at,
    host: rest.host,
    user: rest.user,
    from: rest.src_ip,
    ok:
      outcome === undefined
        ? event_code === '4624' || event_code === '4648'
        : outcome === 'success',
  }
}

function tell(run: Run, trouble: Trouble) {
  const { key, claim, weight, host, techniques, logIds, user, from } = trouble
  run.say(claim)
  const cites = { log_ids: logIds }
  const data = { user, from, kind: trouble.kind }
  run.found({ key, kind: 'finding', claim, reasons: [], weight, host, techniques, data, cites })
  if (trouble.kind !== 'guessed' || user === null) return
  run.propose({
    key: `disable:${user.toLowerCase()}`,
    title: `Disable the account ${user}`.slice(0, 500),
    rationale: [claim],
    action: { kind: 'disable_account', account: user, host, alert_ids: [], reason: claim },
    cites,
  })
}

/** Rights of an administrator on a host where this account did not have them for a week. */
async function newRights(run: Run, received: { from: number; to: number }) {
  const logs = await earliest(run, { query: RIGHTS, time: {}, received }, 200)
  const fresh = new Map(
    logs.flatMap(({ id, at, user, host }) =>
      isPerson(user) && host !== null ? [[`${user} ${host}`, { id, at, user, host }]] : [],
    ),
  )
  for (const { id, at, user, host } of [...fresh.values()].slice(0, MOST_ADMINS)) {
    const known = {
      query: both(RIGHTS, valueIs('user', user), onHost(host)),
      time: { from: at - WEEK, to: at - 10 * MINUTE },
    }
    if ((await isSeen(run, known)) || !(await hasHistory(run, host, at))) continue
    run.found({
      key: `rights:${user}:${host}`,
      kind: 'finding',
      claim: `${user} has the rights of an administrator on ${host} for the first time in a week`,
      reasons: [],
      weight: 30,
      host,
      techniques: ['T1078'],
      data: { user },
      cites: { log_ids: [id] },
    })
  }
}

/** On a host that is new to us everything is for the first time. */
const hasHistory = (run: Run, host: string, at: number) =>
  isSeen(run, {
    query: both(RIGHTS, onHost(host)),
    time: { from: at - WEEK, to: at - 24 * HOUR },
  })
