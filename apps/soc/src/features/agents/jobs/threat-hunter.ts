import type { Backtest, BacktestRequest } from '@manara/soc-contract/detection-content'
import type { Severity } from '@manara/soc-contract/severity'
import { sql } from 'kysely'
import type { LogSelection } from '../../../ports/log-store.ts'
import type { AgentWork, ReadLogs, Run } from '../queue/agent-work.ts'
import { huntFirstTimes } from './hunt/first-times.ts'
import { isSeen } from './reads/find-events.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
const MOST_HUNTS = 5
const MOST_RULES = 500
const MOST_TOLD = 20

export type HunterDeps = {
  /** What a saved hunt looks for. */
  selectionOf(hunt: {
    query: string
    source: string | null
    host: string | null
    severity: string | null
  }): LogSelection
  /** Rules over stored events in one pass; nothing is raised. */
  backtest(
    request: BacktestRequest,
    logs: Pick<ReadLogs, 'scan'>,
    signal: AbortSignal,
  ): Promise<Backtest>
}

/** Looks for what no rule has said: saved hunts, first times, and the past of what is new. */
export function createThreatHunter(deps: HunterDeps): AgentWork {
  return {
    everyMs: HOUR,
    jobsOf: ({ event, data }) =>
      event === 'ioc.sighted' && data.direction === 'lookback'
        ? [
            {
              key: `sighted:${data.id}:${data.host}`,
              input: { ioc_id: data.id },
              priority: 2,
              group: `ioc:${data.id}`,
              delayMs: 2_000,
              isPutOff: true,
            },
          ]
        : [],
    async run({ input }, run) {
      if (typeof input.ioc_id === 'string') return tellPast(run, input.ioc_id)
      const to = run.now()
      const from = Math.max(run.lookedUntil ?? to - HOUR, to - 24 * HOUR)
      run.record(async ({ tx }) => {
        await sql`UPDATE agents SET looked_until = ${new Date(to)} WHERE id = 'agent-004'`.execute(
          tx,
        )
      })
      await runHunts(deps, run, { from, to })
      await huntFirstTimes(run, { from, to })
      await tryNewRules(deps, run, { from, to })
    },
  }
}

/** An indicator that came today was in the logs of yesterday. */
async function tellPast(run: Run, iocId: string) {
  const { rows } = await sql<{ value: string; log_id: string; host: string | null; seen_at: Date }>`
    SELECT value, log_id, host, seen_at FROM ioc_sightings JOIN iocs ON iocs.id = ioc_id
    WHERE ioc_id = ${iocId} AND direction = 'lookback' ORDER BY seen_at LIMIT 200`.execute(run.db)
  const [first] = rows
  if (!first) return
  const hosts = [...new Set(rows.flatMap(({ host }) => host ?? []))]
  run.say(`${first.value} was here before it was known`)
  run.found({
    key: `past:${iocId}`,
    kind: 'hunt',
    claim: `${first.value} was seen before it was known, first at ${first.seen_at.toISOString()}`,
    reasons: [`${rows.length} events on ${hosts.length} hosts: ${hosts.slice(0, 10).join(', ')}.`],
    weight: 55,
    host: hosts[0] ?? null,
    data: { hosts: hosts.slice(0, 50), events: rows.length },
    cites: { ioc_ids: [iocId], log_ids: rows.slice(0, MOST_TOLD).map(({ log_id }) => log_id) },
  })
}

type Window = { from: number; to: number }

/** Those that are shared with the team, each told once a day. */
async function runHunts({ selectionOf }: HunterDeps, run: Run, { from, to }: Window) {
  const hunts = await run.db
    .selectFrom('hunts')
    .select(['id', 'title', 'query', 'source', 'host', 'severity'])
    .where('sharing_mode', '=', 'team')
    .orderBy('updated_at', 'desc')
    .limit(MOST_HUNTS)
    .execute()
  for (const hunt of hunts) {
    const selection = selectionOf(hunt)
    const page = { skip: 0, limit: MOST_TOLD, order: 'desc', countUpTo: 1_000 } as const
    const found = await run.logs.search({ ...selection, ...page, received: { from, to } })
    run.step(`hunt ${hunt.title}`, found.total ?? 0)
    const [newest] = found.logs
    if (!newest) continue
    const isNew = !(await isSeen(run, { ...selection, received: { from: from - WEEK, to: from } }))
    const cites = { log_ids: found.logs.map(({ id }) => id) }
    run.found({
      key: `hunt:${hunt.id}:${new Date(to).toISOString().slice(0, 10)}`,
      kind: 'hunt',
      claim: `The hunt "${hunt.title}" found ${found.total ?? found.logs.length} events`,
      reasons: [
        isNew ? 'It found nothing in the week before.' : 'It found some in the week before too.',
      ],
      weight: isNew ? 50 : 20,
      host: newest.host,
      data: { hunt_id: hunt.id },
      cites,
    })
    if (!isNew) continue
    run.propose({
      key: `hunt:${hunt.id}:${newest.host ?? ''}`,
      title: `Raise an alert for the hunt ${hunt.title}`.slice(0, 500),
      rationale: [`${found.total ?? found.logs.length} events, none in the week before.`],
      action: {
        kind: 'raise_alert',
        title: `Hunt: ${hunt.title}`.slice(0, 500),
        severity: 'medium',
        description: `Found by the saved hunt ${hunt.id}.`,
        host: newest.host,
        rule_id: null,
        log_id: newest.id,
        mitre_techniques: [],
      },
      cites,
    })
  }
}

type NewRule = { id: string; name: string; alert_severity: Severity; mitre_techniques: string[] }

/** What a new rule would have said about the week before it came. */
async function tryNewRules({ backtest }: HunterDeps, run: Run, { from, to }: Window) {
  const { rows: rules } = await sql<NewRule>`
    SELECT id, name, alert_severity, mitre_techniques FROM detection_rules
    WHERE created_at > ${new Date(from)} AND created_at <= ${new Date(to)} AND enabled
      AND sharing_mode = 'team' ORDER BY id LIMIT ${MOST_RULES}`.execute(run.db)
  run.step('new rules', rules.length)
  if (rules.length === 0) return
  const request = {
    rule_ids: rules.map(({ id }) => id),
    from: new Date(to - WEEK),
    to: new Date(to),
    include_ids: true,
    skip: 0,
    limit: MOST_RULES,
  }
  const { items } = await backtest(request, run.logs, run.signal)
  for (const { rule_id, log_ids = [] } of items) {
    const rule = rules.find(({ id }) => id === rule_id)
    const unseen = rule ? await notClaimed(run, rule_id, log_ids.slice(0, 200)) : []
    const [first] = unseen
    if (!rule || first === undefined) continue
    const cites = { rule_ids: [rule.id], log_ids: unseen.slice(0, MOST_TOLD) }
    const claim = `The new rule "${rule.name}" matches ${log_ids.length} events of the week before it came`
    const techniques = rule.mitre_techniques
    run.found({
      key: `rule:${rule.id}`,
      kind: 'hunt',
      claim,
      reasons: [],
      weight: 40,
      techniques,
      cites,
    })
    run.propose({
      key: `rule:${rule.id}`,
      title: `Raise an alert for the past of ${rule.name}`.slice(0, 500),
      rationale: [claim],
      action: {
        kind: 'raise_alert',
        title: `${rule.name}, before the rule came`.slice(0, 500),
        severity: rule.alert_severity,
        description: claim,
        host: null,
        rule_id: rule.id,
        log_id: first,
        mitre_techniques: techniques,
      },
      cites,
    })
  }
}

/** The rule itself has raised alerts for what came after it. */
async function notClaimed(run: Run, ruleId: string, logIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ log_id: string }>`
    SELECT log_id FROM detection_hits WHERE rule_id = ${ruleId}
      AND log_id = ANY(${logIds}::text[])`.execute(run.db)
  const claimed = new Set(rows.map(({ log_id }) => log_id))
  return logIds.filter((id) => !claimed.has(id))
}
