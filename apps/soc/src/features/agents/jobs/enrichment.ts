import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { jobOfAlert } from './domain/job-of-alert.ts'
import { alertFacts, endpointOf } from './reads/alert-facts.ts'
import { earliest } from './reads/find-events.ts'
import { contains } from './reads/queries.ts'
import type { KnownIndicator } from './triage.ts'

const WEEK_MS = 7 * 86_400_000
const MOST_VALUES = 5
const MOST_HOSTS = 20

export type EnrichmentDeps = {
  findIndicator(value: string): Promise<KnownIndicator | null>
  siteName(db: Kysely<Tables>, siteId: string): Promise<string | null>
}

/** Adds what is known about the indicators of an alert or a case, and about its host. */
export function createEnrichment(deps: EnrichmentDeps): AgentWork {
  return {
    jobsOf({ seq, event, data }) {
      if (event === 'alert.created') return [jobOfAlert(data)]
      const isAdded =
        event === 'case.updated' && String(data.action).startsWith('observable added: ')
      if (!isAdded) return []
      return [
        {
          key: `observables:${data.id}:${seq}`,
          input: { case_id: data.id },
          priority: 2,
          group: `case:${data.id}`,
          delayMs: 1_000,
          isPutOff: true,
        },
      ]
    },
    async run({ input, joined }, run) {
      if (input.case_id) return enrichCase(deps, run, String(input.case_id))
      // In a storm alerts have their indicators in common.
      const look = once((value: string) => enrichValue(deps, run, value))
      for (const { alert_id } of [input, ...joined]) await enrichAlert(deps, run, look, alert_id)
    },
  }
}

type Look = (value: string) => ReturnType<typeof enrichValue>

async function enrichAlert(deps: EnrichmentDeps, run: Run, look: Look, id: unknown) {
  const alert = await alertFacts(run.db, id)
  if (!alert) return
  const endpoint = await endpointOf(run.db, alert.host)
  const siteId = alert.site_id ?? endpoint?.site_id ?? null
  const site = siteId && (await deps.siteName(run.db, siteId))
  const values = await enrichValues(run, look, alert.iocs)
  if (!endpoint && !site && values.every(({ isNews }) => !isNews)) return
  const reasons = [
    ...(endpoint ? [describeEndpoint(endpoint)] : []),
    ...(site ? [`It belongs to ${site}.`] : []),
    ...values.map(({ said }) => said),
  ]
  run.say(`${values.length} indicators of ${alert.title}`)
  run.found({
    key: `alert:${alert.id}`,
    kind: 'enrichment',
    claim: `What is known about ${alert.title}`,
    reasons,
    weight: Math.max(10, ...values.map(({ score }) => score)),
    alertId: alert.id,
    caseId: alert.case_id,
    host: alert.host,
    data: {
      endpoint: endpoint
        ? { id: endpoint.id, hostname: endpoint.hostname, labels: endpoint.labels }
        : null,
      site: site ?? null,
      indicators: values.map(({ data }) => data),
    },
    cites: {
      alert_ids: [alert.id],
      endpoint_ids: endpoint ? [endpoint.id] : [],
      ioc_ids: values.flatMap(({ iocId }) => iocId ?? []),
      log_ids: values.flatMap(({ logIds }) => logIds),
    },
  })
}

/** Each observable once. */
async function enrichCase(deps: EnrichmentDeps, run: Run, caseId: string) {
  const { rows } = await sql<{ id: string; value: string }>`
    SELECT id, value FROM case_observables WHERE case_id = ${caseId}
      AND NOT EXISTS (SELECT FROM agent_findings WHERE agent_id = 'agent-002'
        AND key = 'observable:' || case_observables.id)
    ORDER BY created_at LIMIT ${MOST_VALUES}`.execute(run.db)
  for (const { id, value } of rows) {
    const [one] = await enrichValues(run, (asked) => enrichValue(deps, run, asked), [value])
    if (!one?.isNews) continue
    run.found({
      key: `observable:${id}`,
      kind: 'enrichment',
      claim: `What is known about ${value.slice(0, 200)}`,
      reasons: [one.said],
      weight: Math.max(10, one.score),
      caseId,
      data: { observable_id: id, ...one.data },
      cites: {
        case_ids: [caseId],
        ioc_ids: one.iocId ? [one.iocId] : [],
        log_ids: one.logIds,
      },
    })
  }
  run.say(`${rows.length} observables of case ${caseId}`)
}

async function enrichValues(run: Run, look: Look, values: string[]) {
  const enriched: Awaited<ReturnType<Look>>[] = []
  for (const value of values.slice(0, MOST_VALUES)) enriched.push(await look(value))
  run.step('values looked up', enriched.length)
  return enriched
}

async function enrichValue(deps: EnrichmentDeps, run: Run, value: string) {
  const known = await deps.findIndicator(value)
  const where = await seenWhere(run, value)
  const score = known?.effective_score ?? 0
  const spread = where.hosts.length
  return {
    isNews: known !== null || where.total > 1,
    score,
    iocId: known?.id,
    logIds: [where.first, where.last].flatMap((log) => log?.id ?? []),
    said: `${value.slice(0, 200)}: ${known ? `a known indicator, score ${score}` : 'not a known indicator'}; ${where.total} events in 7 days${spread > 0 ? ` on ${spread} hosts` : ''}.`,
    data: {
      value,
      score: known ? score : null,
      events_7d: where.total,
      hosts: where.hosts,
      first_seen_at: timeOf(where.first),
      last_seen_at: timeOf(where.last),
    },
  }
}

/** Each value is asked for once; what failed is not kept. */
function once<T>(ask: (value: string) => Promise<T>) {
  const known = new Map<string, T>()
  return async (value: string): Promise<T> => {
    const found = known.get(value) ?? (await ask(value))
    known.set(value, found)
    return found
  }
}

const timeOf = (log: { at: number } | undefined) => (log ? new Date(log.at).toISOString() : null)

async function seenWhere(run: Run, value: string) {
  // Logs write `IMPHASH=…`, or name the field after it.
  const written = value.replace(/^imphash:/i, '')
  const selection = { query: contains(written), time: { from: run.now() - WEEK_MS } }
  const page = { skip: 0, limit: 1, order: 'desc', countUpTo: 10_000 } as const
  const newest = await run.logs.search({ ...selection, ...page })
  if (newest.logs.length === 0) return { total: 0, hosts: [], first: undefined, last: undefined }
  const [first] = await earliest(run, selection, 1)
  const { values } = await run.logs.topValues({ ...selection, field: 'host', limit: MOST_HOSTS })
  return {
    total: newest.total ?? 1,
    hosts: values.map((one) => one.value),
    first,
    last: newest.logs[0],
  }
}

const describeEndpoint = (endpoint: NonNullable<Awaited<ReturnType<typeof endpointOf>>>) =>
  `${endpoint.hostname} runs ${endpoint.os_name ?? 'an unknown system'}${endpoint.os_version ? ` ${endpoint.os_version}` : ''}, is ${endpoint.status}${endpoint.isolation === 'none' ? '' : ` and ${endpoint.isolation}`}${endpoint.labels.length > 0 ? ` (${endpoint.labels.join(', ')})` : ''}.`
