import type { CorrelationEvidence, FoundCorrelation } from '@manara/soc-contract/correlations'
import type { CorrelatingRule } from './rule.ts'

const LONGEST = 120
const MOST_NAMED = 3

/** A title for the list, and in a sentence what was found together and how near. */
export function wordsOf(
  rule: CorrelatingRule,
  evidence: CorrelationEvidence[],
  count: number,
  place: Pick<FoundCorrelation, 'site_id' | 'zone' | 'host'>,
): { title: string; why: string } {
  const anchor = evidence.find(({ role }) => role === 'anchor')
  const others = evidence.filter(({ role }) => role === 'other')
  const on = anchor?.host ? ` on ${anchor.host}` : ''
  const unnamed = count - 1 - Math.min(others.length, MOST_NAMED)
  const named = others
    .slice(0, MOST_NAMED)
    .map(({ kind, title, at }) => `${kind} “${short(title)}” at ${at}`)
  const more = unnamed > 0 ? ` and ${unnamed} more` : ''
  return {
    title: `${rule.name}${on}`.slice(0, 500),
    why:
      `The ${anchor?.kind ?? 'signal'} “${short(anchor?.title ?? '')}”${on} at ${anchor?.at ?? ''} ` +
      `was within ${spanOf(rule.within_minutes)} of ${named.join(', ')}${more}, ${togetherAt(rule, place)}.`,
  }
}

const short = (title: string) => (title.length > LONGEST ? `${title.slice(0, LONGEST)}…` : title)

function spanOf(minutes: number): string {
  if (minutes % 1_440 === 0) return minutes === 1_440 ? 'a day' : `${minutes / 1_440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

function togetherAt(
  { same }: CorrelatingRule,
  { site_id, zone, host }: Pick<FoundCorrelation, 'site_id' | 'zone' | 'host'>,
): string {
  const parts = same.map((what) => {
    if (what === 'host') return `on the same host (${host})`
    return what === 'zone' ? `in the same zone (${zone})` : `at the same site (${site_id})`
  })
  return parts.join(' and ')
}
