import type { CommentCreate, ObservableCreate, TaskCreate } from '@manara/soc-contract/cases'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { isAddress, isDomain, isHash, isOutside } from './domain/indicator-kinds.ts'
import { type AlertFacts, alertsWhere } from './reads/alert-facts.ts'

const DAY_MS = 86_400_000
const MOST_OBSERVABLES = 50

export type CaseKeeperDeps = {
  addObservable(
    change: ChangeContext,
    caseId: string,
    body: ObservableCreate,
  ): Promise<{ isNew: boolean }>
  addTask(change: ChangeContext, caseId: string, body: TaskCreate): Promise<unknown>
  addComment(change: ChangeContext, caseId: string, body: CommentCreate): Promise<unknown>
}

/** What every grave case needs, unless somebody has planned otherwise. */
const TASKS = [
  'Find out what happened and who is affected',
  'Contain it: hosts, accounts, indicators',
  'Secure the evidence before it is overwritten',
  'Say what is to change so that it does not happen again',
]

/** Keeps cases in order; what would move records between cases is proposed. */
export function createCaseKeeper(deps: CaseKeeperDeps): AgentWork {
  return {
    everyMs: DAY_MS,
    jobsOf({ seq, event, data }) {
      const isLinked = event === 'case.updated' && /^alert \S+ linked$/.test(String(data.action))
      if (event !== 'case.created' && !isLinked) return []
      return [
        {
          key: `case:${data.id}:${seq}`,
          input: { case_id: data.id },
          priority: 2,
          group: `case:${data.id}`,
          delayMs: 1_000,
          isPutOff: true,
        },
      ]
    },
    async run({ input }, run) {
      if (typeof input.case_id === 'string') await keep(deps, run, input.case_id)
      else await findStale(deps, run)
    },
  }
}

type CaseFacts = { id: string; title: string; severity: string; tasks: string }

async function keep(deps: CaseKeeperDeps, run: Run, caseId: string) {
  const { rows } = await sql<CaseFacts>`
    SELECT id, title, severity,
      (SELECT count(*) FROM case_tasks WHERE case_id = cases.id) AS tasks
    FROM cases WHERE id = ${caseId} AND deleted_at IS NULL AND merged_into IS NULL
      AND status NOT IN ('resolved', 'closed')`.execute(run.db)
  const [found] = rows
  if (!found) return run.say('the case is over')
  const alerts = await alertsWhere(run.db, sql<boolean>`case_id = ${caseId}`)
  await addObservables(deps, run, found, alerts)
  const isGrave = found.severity === 'critical' || found.severity === 'high'
  if (isGrave && alerts.length > 0 && found.tasks === '0') {
    run.step('tasks added', TASKS.length)
    run.record(async (change) => {
      if (await hasTasks(change, caseId)) return
      for (const title of TASKS) await deps.addTask(change, caseId, { title, status: 'todo' })
    })
  }
  await proposeMerge(run, found, alerts)
}

/** Another run about the same case may have ended since this one read; one still writing is waited for. */
async function hasTasks({ tx }: ChangeContext, caseId: string): Promise<boolean> {
  await sql`SELECT FROM cases WHERE id = ${caseId} FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql`SELECT FROM case_tasks WHERE case_id = ${caseId} LIMIT 1`.execute(tx)
  return rows.length > 0
}

/** Indicators of its alerts that nobody has written down yet. */
async function addObservables(
  { addObservable, addComment }: CaseKeeperDeps,
  run: Run,
  { id }: CaseFacts,
  alerts: AlertFacts[],
) {
  const known = await run.db
    .selectFrom('case_observables')
    .select('value')
    .where('case_id', '=', id)
    .execute()
  const seen = new Set(known.map(({ value }) => value.toLowerCase()))
  const fresh = new Map<string, AlertFacts>()
  for (const alert of alerts) {
    for (const value of alert.iocs) {
      if (!seen.has(value.toLowerCase()) && !fresh.has(value)) fresh.set(value, alert)
    }
  }
  const some = [...fresh].slice(0, MOST_OBSERVABLES)
  run.step('observables added', some.length)
  if (some.length === 0) return
  run.record(async (change) => {
    const from: string[] = []
    for (const [value, alert] of some) {
      const { isNew } = await addObservable(change, id, {
        type: typeOf(value),
        value,
        source: `alert ${alert.id}`,
        tags: ['agent'],
        context: { alert_id: alert.id },
      })
      if (isNew) from.push(`alert ${alert.id}`)
    }
    if (from.length === 0) return
    const body = `${from.length} observables were taken over from ${[...new Set(from)].join(', ')}.`
    await addComment(change, id, { body })
  })
}

const typeOf = (value: string) =>
  isHash(value) ? 'hash' : isAddress(value) ? 'ip' : isDomain(value) ? 'domain' : 'other'

/** Two open cases about the same indicator are most often one. */
async function proposeMerge(run: Run, found: CaseFacts, alerts: AlertFacts[]) {
  const outside = [...new Set(alerts.flatMap(({ iocs }) => iocs.filter(isOutside)))]
  if (outside.length === 0) return
  const { rows } = await sql<{ id: string; title: string; alert_id: string; shared: string[] }>`
    SELECT DISTINCT ON (cases.id) cases.id, cases.title, alerts.id AS alert_id,
      ARRAY(SELECT unnest(alerts.iocs) INTERSECT SELECT unnest(${outside}::text[])) AS shared
    FROM alerts JOIN cases ON cases.id = alerts.case_id
    WHERE alerts.iocs && ${outside}::text[] AND cases.id <> ${found.id}
      AND cases.deleted_at IS NULL AND cases.merged_into IS NULL
      AND cases.status NOT IN ('resolved', 'closed')
      AND cases.created_at > now() - interval '30 days'
    ORDER BY cases.id, alerts.id LIMIT 5`.execute(run.db)
  for (const twin of rows) {
    run.propose({
      key: `merge:${[found.id, twin.id].sort().join()}`,
      title: `Merge two cases about ${twin.shared[0]}`.slice(0, 500),
      rationale: [
        `"${found.title}" and "${twin.title}" are both open and share ${twin.shared.slice(0, 5).join(', ')}.`,
      ],
      action: { kind: 'merge_cases', case_id: twin.id, case_ids: [found.id] },
      cites: {
        case_ids: [found.id, twin.id],
        alert_ids: [
          twin.alert_id,
          ...alerts
            .filter(({ iocs }) => iocs.some((ioc) => twin.shared.includes(ioc)))
            .map(({ id }) => id),
        ],
      },
    })
  }
}

/** Once a week, until somebody goes on with it. */
async function findStale({ addComment }: CaseKeeperDeps, run: Run) {
  const { rows } = await sql<{ id: string; updated_at: Date; assignee: string | null }>`
    SELECT id, updated_at, assignee FROM cases
    WHERE deleted_at IS NULL AND merged_into IS NULL AND status IN ('open', 'investigating')
      AND updated_at < now() - interval '7 days' ORDER BY updated_at LIMIT 100`.execute(run.db)
  run.step('cases that nobody touched for a week', rows.length)
  for (const { id, updated_at, assignee } of rows.filter((row) => isRecordId(row.id))) {
    const since = updated_at.toISOString().slice(0, 10)
    run.found({
      key: `stale:${id}:${since}`,
      kind: 'note',
      claim: `Nobody has worked on the case since ${since}`,
      reasons: [assignee ? `It is assigned to ${assignee}.` : 'It is assigned to nobody.'],
      weight: 20,
      caseId: id,
      cites: { case_ids: [id] },
    })
    run.record(async (change) => {
      const whom = assignee ? `${assignee}, is it` : 'It is assigned to nobody: is it'
      const body = `Nothing has happened here since ${since}. ${whom} over, on hold, or forgotten?`
      await addComment(change, id, { body })
    })
  }
}
