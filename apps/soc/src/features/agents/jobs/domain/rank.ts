import type { Severity } from '@manara/soc-contract/severity'

export type Evidence = {
  severity: Severity
  verdicts: { right: number; all: number; prior: number } | undefined
  /** Of the site, and whether the host is one that others depend on. */
  criticality: string | null
  isServer: boolean
  /** Indicators of the alert that are known, with what is left of their score. */
  known: { value: string; score: number }[]
  /** From looking into the events around it; undefined when nobody could. */
  investigation: { verdict: 'attack' | 'suspicious' | 'nothing_found'; score: number } | undefined
}

export type Rank = {
  score: number
  word: 'urgent' | 'high' | 'normal' | 'low'
  verdict: 'attack' | 'suspicious' | 'nothing_found'
  reasons: string[]
}

const SEVERITIES: Record<Severity, number> = {
  critical: 70,
  high: 50,
  medium: 32,
  low: 16,
  info: 6,
}
const CRITICALITIES: Record<string, number> = { critical: 10, high: 6, medium: 2 }

/**
 * How soon somebody should look, 0 to 100, with the reasons. What people said about a rule makes it
 * weigh less or more, but never less than half, and a critical alert never less at all.
 */
export function rankAlert(evidence: Evidence): Rank {
  const { severity, verdicts, criticality, investigation, known } = evidence
  const reasons = [`The alert is ${severity}.`]
  let score = SEVERITIES[severity]
  if (verdicts) {
    const factor =
      severity === 'critical' ? Math.max(1, 0.5 + verdicts.prior) : 0.5 + verdicts.prior
    score *= factor
    const wrong = verdicts.all - verdicts.right
    reasons.push(
      `${round(wrong)} of ${round(verdicts.all)} such alerts were not confirmed by people.`,
    )
  }
  if (investigation) {
    score +=
      Math.min(40, investigation.score / 2) - (investigation.verdict === 'nothing_found' ? 8 : 0)
    reasons.push(WORDS[investigation.verdict])
  }
  const strongest = Math.max(0, ...known.map((one) => one.score))
  if (strongest > 0) {
    score += strongest / 5
    const [first] = known
    reasons.push(`${first?.value} is a known indicator, score ${first?.score}.`)
  }
  const standing = CRITICALITIES[criticality ?? ''] ?? 0
  if (standing > 0) {
    score += standing
    reasons.push(`The site is of ${criticality} criticality.`)
  }
  if (evidence.isServer) {
    score += 6
    reasons.push('Others depend on the host.')
  }
  const whole = Math.max(1, Math.min(100, Math.round(score)))
  return { score: whole, word: wordOf(whole), verdict: verdictOf(evidence, strongest), reasons }
}

const WORDS = {
  attack: 'The events around it read like an attack.',
  suspicious: 'The events around it are suspicious.',
  nothing_found: 'The events around it show nothing unusual.',
}

const wordOf = (score: number) =>
  score >= 75 ? 'urgent' : score >= 50 ? 'high' : score >= 25 ? 'normal' : 'low'

/** Without a look into the events only what is known for sure is called an attack. */
function verdictOf({ severity, investigation }: Evidence, strongest: number): Rank['verdict'] {
  const isCertain = severity === 'critical' || (severity === 'high' && strongest >= 70)
  if (investigation) {
    const { verdict } = investigation
    return verdict === 'nothing_found' && isCertain ? 'suspicious' : verdict
  }
  if (isCertain) return 'attack'
  return severity === 'info' || severity === 'low' ? 'nothing_found' : 'suspicious'
}

const round = (amount: number) => (Number.isInteger(amount) ? amount : amount.toFixed(1))
