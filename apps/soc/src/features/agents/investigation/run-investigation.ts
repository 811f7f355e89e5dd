import { createHash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { Conclusion, InvestigationRequest } from '@manara/soc-contract/investigation'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import type { Baseline } from '../domain/investigation/baseline.ts'
import { type Draft, draftOf } from '../domain/investigation/draft.ts'
import { hostOf } from '../domain/investigation/evidence/names.ts'
import { BUILT_IN_TECHNIQUES } from '../domain/investigation/indicators/find-indicators.ts'
import type { Observed } from '../domain/investigation/observed.ts'
import { proposeActions } from '../domain/investigation/propose-actions.ts'
import { type Mentions, readRequest } from '../domain/investigation/request/read-request.ts'
import type { Knowledge } from '../domain/investigation/story/reasons.ts'
import { endpointsNamed } from './gather/evidence.store.ts'
import { type Anchor, findAnchor, type LookedFor } from './gather/find-anchor.ts'
import { findHits, type Gathered, type MatchLogs } from './gather/find-hits.ts'
import { focusOf, gather } from './gather/gather.ts'
import {
  alertsRelated,
  type DevicesOf,
  deviceSignals,
  sightingsAround,
} from './gather/look-around.ts'
import { createPlan, type Plan } from './gather/plan.ts'
import { verifyCites } from './gather/verify-cites.ts'
import type { Threads } from './thread/threads.ts'

export type RunDeps = {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'search' | 'scan' | 'topValues' | 'byId'>
  threads: Threads
  readBaseline(): Promise<Baseline>
  matchLogs: MatchLogs
  /** ATT&CK's own name, and today's id of a technique. */
  techniqueOf(id: string): { name: string; replaced_by: string | null } | undefined
  devicesOf?: DevicesOf | undefined
  now(): number
}

/** After this, what was found until then is the answer. */
const GATHER_MS = 60_000

/** From what an analyst has to what happened, with every step kept. */
export async function runInvestigation(
  deps: RunDeps,
  request: InvestigationRequest,
  how: { signal: AbortSignal; tell(step: string, events: number): void },
): Promise<Conclusion> {
  const { db, logs, now } = deps
  const { signal } = how
  const plan = createPlan({ logs, signal, now, tell: how.tell })
  const mentions = readRequest(request.alert_context)
  const { anchor, lookedFor } = await findAnchor(
    { db, logs, plan, now },
    request.alert_context,
    mentions,
  )
  if (!anchor) return nothingNamed(plan, lookedFor)
  return deps.threads.use(signal, async (thread) => {
    const focus = focusOf(anchor)
    const baseline = await deps.readBaseline()
    const know = async (gathered: Gathered): Promise<Knowledge> => {
      const hits = await findHits({ db, matchLogs: deps.matchLogs, now, plan, signal }, gathered)
      return { baseline, hits, successors: successorsOf(deps, hits) }
    }
    const deadline = now() + GATHER_MS
    const { window, gathered, knowledge } = await gather(
      { plan, thread, know, deadline, now },
      anchor,
      focus,
    )
    if (anchor.logs.length === 0) {
      window.partial ??=
        'the events of the alert are gone, retention has taken them: what lies around it'
    }
    const since = now()
    const isPartial = window.partial !== undefined
    const { draft: story, observed } = await thread.call('conclude', [focus, knowledge, isPartial])
    plan.note('put the events together', gathered.ids.length, since)
    const around = await lookAround(deps, {
      plan,
      request,
      mentions,
      anchor,
      window,
      story,
      observed,
      knowledge,
    })
    const whole = {
      ...story,
      partial: window.partial === undefined ? null : { reason: window.partial },
      window: {
        from: new Date(window.from).toISOString(),
        to: new Date(window.to).toISOString(),
        hosts: window.hosts,
        events: gathered.ids.length,
      },
      anchor: toldAnchor(anchor, [...focus.hosts][0] ?? null),
      looked_for: lookedFor,
      techniques: story.techniques.map((technique) => ({
        ...technique,
        name: deps.techniqueOf(technique.id)?.name ?? technique.id,
      })),
      ...around,
      model: null,
    }
    return sealed(await verifyCites({ db, plan }, whole, window), plan)
  })
}

type Around = {
  plan: Plan
  request: InvestigationRequest
  mentions: Mentions
  anchor: Anchor
  window: { from: number; to: number }
  story: Draft
  observed: Observed[]
  knowledge: Knowledge
}

async function lookAround(deps: RunDeps, found: Around) {
  const { plan, request, mentions, anchor, window, story, observed } = found
  const asked = mentions.all.filter(
    ({ type, value }) => ['ip', 'domain', 'hash'].includes(type) && value !== anchor.host,
  )
  const indicators = [...new Map([...asked, ...observed].map((one) => [one.value, one])).values()]
  const { related, sites } = await alertsRelated(deps.db, {
    hosts: story.hosts.length > 0 ? story.hosts : anchor.host ? [hostOf(anchor.host)] : [],
    values: indicators.map(({ value }) => value),
    alertIds: [...new Set(story.findings.flatMap(({ cites }) => cites.alert_ids))],
    alertsInWindow: [
      ...new Set(found.knowledge.hits.flatMap(({ alertId }) => alertId ?? [])),
    ].sort(),
    from: window.from,
    to: window.to,
  })
  return {
    related_alerts: related,
    indicators: await sightingsAround(plan, indicators, anchor.at),
    cps: request.has_cps_assets ? await devices(deps, sites, story.hosts, anchor.at) : null,
    proposed_actions: proposeActions(story, observed),
  }
}

async function devices(deps: RunDeps, sites: string[], hosts: string[], at: number) {
  const endpoints = await endpointsNamed(deps.db, hosts)
  const siteIds = new Set([...sites, ...endpoints.flatMap(({ site_id }) => site_id ?? [])])
  return deviceSignals(deps.devicesOf, [...siteIds].sort(), at)
}

/** Nothing that was named was ever seen: say so, and what was looked for. */
function nothingNamed(plan: Plan, lookedFor: LookedFor): Conclusion {
  const looked = lookedFor.map(({ value }) => value).join(', ')
  return sealed(
    {
      ...draftOf(undefined, false, () => undefined),
      confidence: 0,
      confidence_reasons: [
        looked === ''
          ? 'the request names no alert, case, log, address, hash, domain, host, user or program: name one'
          : `nothing of this was seen within 7 days: ${looked}`,
      ],
      techniques: [],
      partial: null,
      window: null,
      anchor: null,
      looked_for: lookedFor,
      related_alerts: [],
      indicators: [],
      cps: null,
      proposed_actions: [],
      model: null,
    },
    plan,
  )
}

function toldAnchor(anchor: Anchor, host: string | null): Conclusion['anchor'] {
  const { kind, id, value, title, at, logs } = anchor
  return {
    kind,
    id,
    value,
    title,
    at: new Date(at).toISOString(),
    host: host || anchor.host,
    log_ids: logs.slice(0, 20).map((log) => log.id),
  }
}

/** The same data again must give the same digest, however long the queries took. */
function sealed(conclusion: Omit<Conclusion, 'plan' | 'digest'>, { steps }: Plan): Conclusion {
  const plan = steps.map(({ ms: _, ...step }) => step)
  const text = canonicalJson({ ...conclusion, plan })
  return {
    ...conclusion,
    plan: steps,
    digest: createHash('sha256').update(text).digest('hex'),
  }
}

function successorsOf({ techniqueOf }: RunDeps, hits: Knowledge['hits']): Record<string, string> {
  const ids = new Set([...BUILT_IN_TECHNIQUES, ...hits.flatMap(({ rule }) => rule.techniques)])
  const pairs = [...ids].flatMap((id) => {
    const next = techniqueOf(id)?.replaced_by
    return next ? [[id, next] as const] : []
  })
  return Object.fromEntries(pairs)
}
