import type { LogRecord } from '@manara/log-query/event'
import { featuresOf } from '../../domain/investigation/baseline.ts'
import { type Draft, draftOf } from '../../domain/investigation/draft.ts'
import { lookAt } from '../../domain/investigation/evidence/seen.ts'
import { type Focus, investigate, type Story } from '../../domain/investigation/investigate.ts'
import { type Needs, needsOf } from '../../domain/investigation/needs.ts'
import { type Observed, observedIn } from '../../domain/investigation/observed.ts'
import type { Hit, Knowledge } from '../../domain/investigation/story/reasons.ts'

/** How many hosts showed each feature. */
export type Learnt = { hosts: number; features: [feature: string, hosts: number][] }

/** Logs come as text: V8 copies one string far quicker than an object of many. */
export type AnalystCalls = {
  forget(): void
  take(logs: string): void
  needs(focus: Focus, knowledge: Knowledge): Needs
  conclude(
    focus: Focus,
    knowledge: Knowledge,
    isPartial: boolean,
  ): { draft: Draft; observed: Observed[] }
  learn(logs: string, hits: [logId: string, rules: string[]][]): void
  learnt(): Learnt
}

/** The work of one investigation at a time, without any input or output of its own. */
export function createAnalyst(): AnalystCalls {
  const logs = new Map<string, LogRecord>()
  const featuresByHost = new Map<string, Set<string>>()
  let story: Story | undefined
  /** No event has come since it was told. */
  let isCurrent = false

  function tell(focus: Focus, knowledge: Knowledge): Story | undefined {
    if (!isCurrent) story = investigate([...logs.values()], focus, knowledge)
    isCurrent = true
    return story
  }

  return {
    forget() {
      logs.clear()
      featuresByHost.clear()
      story = undefined
      isCurrent = false
    },

    take(text) {
      for (const log of JSON.parse(text) as LogRecord[]) logs.set(log.id, log)
      isCurrent = false
    },

    needs: (focus, knowledge) => needsOf(tell(focus, knowledge)),

    conclude(focus, knowledge, isPartial) {
      const told = tell(focus, knowledge)
      const draft = draftOf(told, isPartial, alertsOf(knowledge.hits))
      return { draft, observed: observedIn(told) }
    },

    learn(text, hits) {
      const rules = new Map(hits)
      for (const log of JSON.parse(text) as LogRecord[]) {
        const event = lookAt(log)
        if (event.host === '') continue
        const known = featuresByHost.get(event.host) ?? new Set()
        featuresByHost.set(event.host, known)
        for (const feature of featuresOf(event)) known.add(feature)
        for (const rule of rules.get(log.id) ?? []) known.add(`r:rule:${rule}`)
      }
    },

    learnt() {
      const counts = new Map<string, number>()
      for (const features of featuresByHost.values()) {
        for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
      }
      const hosts = featuresByHost.size
      featuresByHost.clear()
      return { hosts, features: [...counts] }
    },
  }
}

function alertsOf(hits: Hit[]) {
  const alerts = new Map(
    hits.flatMap(({ rule, logId, alertId }) =>
      alertId ? [[`${rule.id} ${logId}`, alertId] as const] : [],
    ),
  )
  return (ruleId: string, logId: string) => alerts.get(`${ruleId} ${logId}`)
}
