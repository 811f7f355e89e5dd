import { AlertCreate } from '@manara/soc-contract/alerts'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { AgentWork } from '../queue/agent-work.ts'
import { STORM } from '../queue/claim-jobs.ts'
import { HOURLY, specOf } from '../registry/catalogue.ts'

const EVERY_MS = 10_000
const LATE_S = 300

export type RaiseAlert = (change: ChangeContext, alert: AlertCreate) => Promise<unknown>

type Watched = {
  id: string
  waiting: string
  late_s: number
  is_failing: boolean
  failed: string
  is_over_budget: boolean
}

/** Looks after the others, and says in an alert when they cannot keep up or fail. */
export function createSupervisor({ raiseAlert }: { raiseAlert: RaiseAlert }): AgentWork {
  return {
    everyMs: EVERY_MS,
    async run(_job, run) {
      const { rows } = await sql<Watched>`
        SELECT agents.id, failing_since IS NOT NULL AS is_failing,
          coalesce(waiting, 0) AS waiting,
          coalesce(extract(epoch FROM now() - waiting_since), 0)::int AS late_s,
          (SELECT count(*) FROM agent_jobs WHERE agent_id = agents.id AND status = 'failed'
            AND ended_at > now() - interval '1 hour') AS failed,
          EXISTS (SELECT FROM agent_hours h WHERE h.agent_id = agents.id
            AND hour = date_trunc('hour', now()) AND (events >= ${HOURLY.events}
              OR queries >= ${HOURLY.queries} OR ms >= ${HOURLY.ms})) AS is_over_budget
        FROM agents LEFT JOIN (
          SELECT agent_id, count(*) FILTER (WHERE status IN ('pending', 'joined')) AS waiting,
            min(run_at) FILTER (WHERE status = 'pending') AS waiting_since
          FROM agent_jobs WHERE status <> 'done' AND run_at <= now() GROUP BY agent_id
        ) AS jobs ON agent_id = agents.id
        WHERE enabled AND instances > 0 AND agents.id <> 'agent-015'
        ORDER BY agents.id`.execute(run.db)
      run.step('agents looked at', rows.length)
      const troubles = rows.flatMap((row) => [...troublesOf(row)])
      if (troubles.length === 0) return
      run.say(troubles.map(({ title }) => title).join('; '))
      const known = await openAlerts(
        run.db,
        troubles.map(({ title }) => title),
      )
      const fresh = troubles.filter(({ title }) => !known.has(title))
      for (const { title, severity, description } of fresh) {
        run.record(async (change) => {
          const alert = { title, severity, description, source: 'platform', tags: ['agents'] }
          await raiseAlert(change, AlertCreate.parse(alert))
        })
      }
    },
  }
}

/** What is told already, and not settled, is not counted again every ten seconds. */
async function openAlerts(db: Parameters<AgentWork['run']>[1]['db'], titles: string[]) {
  const rows = await db
    .selectFrom('alerts')
    .select('title')
    .where('source', '=', 'platform')
    .where('title', 'in', titles)
    .where('status', 'not in', ['resolved', 'closed', 'suppressed'])
    .execute()
  return new Set(rows.map(({ title }) => title))
}

function* troublesOf(row: Watched) {
  const name = specOf(row.id)?.name ?? row.id
  if (Number(row.waiting) >= STORM || row.late_s >= LATE_S) {
    yield {
      title: `${name} cannot keep up`,
      severity: 'high',
      description: `${row.waiting} jobs wait, the oldest for ${row.late_s} s. Those of one host and user are worked together, the most severe first. Raise its instances, or look at what raises so many alerts.`,
    }
  }
  if (row.is_failing) {
    yield {
      title: `${name} fails again and again`,
      severity: 'high',
      description: `It is tried every five minutes and goes on by itself when that works. GET /api/v1/agents/${row.id}/runs?status=failed says why.`,
    }
  } else if (Number(row.failed) > 0) {
    yield {
      title: `${name} gave up jobs`,
      severity: 'medium',
      description: `${row.failed} within the last hour. GET /api/v1/agents/${row.id}/runs?status=failed says why.`,
    }
  }
  if (row.is_over_budget) {
    yield {
      title: `${name} has used up its budget of this hour`,
      severity: 'medium',
      description: 'It goes on at the next full hour; what waits is not lost.',
    }
  }
}
