import { invalid } from '@manara/kit/errors'
import { nextTurn } from '@manara/kit/turns'
import type {
  CorrelationPreview,
  CorrelationPreviewResult,
  FoundCorrelation,
} from '@manara/soc-contract/correlations'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { correlating } from './domain/correlate.ts'
import { readSignals } from './read-signals.ts'
import { ruleById } from './rules.store.ts'

const DAY = 86_400_000
const MOST_DAYS = 90
const MOST_SIGNALS = 20_000
const SHOWN = 200
const ANCHORS_A_TURN = 20
const LONGEST_MS = 5_000

/** What a rule would have found in the past; nothing is stored. */
export async function previewRule(
  db: Kysely<Tables>,
  { rule: draft, rule_id, from, to }: CorrelationPreview,
  { now, signal }: { now(): number; signal: AbortSignal },
): Promise<CorrelationPreviewResult> {
  const end = to ?? new Date(now())
  const begin = from ?? new Date(end.getTime() - 7 * DAY)
  if (begin >= end) throw invalid('from', 'must lie before to')
  if (end.getTime() - begin.getTime() > MOST_DAYS * DAY) {
    throw invalid('from', `must lie at most ${MOST_DAYS} days before to`)
  }
  const rule = draft ?? (await ruleById(db, rule_id ?? ''))
  const signals = await readSignals(db, { from: begin, to: end, most: MOST_SIGNALS + 1 })
  const isCut = signals.length > MOST_SIGNALS
  const found: FoundCorrelation[] = []
  const began = now()
  let anchors = 0
  let isLate = false
  for (const one of correlating(rule, signals)) {
    if (one) found.push(one.found)
    anchors += 1
    if (anchors % ANCHORS_A_TURN === 0) await nextTurn()
    signal.throwIfAborted()
    isLate = now() - began > LONGEST_MS
    if (isLate) break
  }
  const newestFirst = found.toSorted((a, b) => (a.last_at > b.last_at ? -1 : 1))
  return {
    items: newestFirst.slice(0, SHOWN),
    total: found.length,
    signals: Math.min(signals.length, MOST_SIGNALS),
    from: begin.toISOString(),
    to: end.toISOString(),
    partial: isCut || isLate,
  }
}
