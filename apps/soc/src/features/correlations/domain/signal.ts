import type { SignalCondition, SignalKind } from '@manara/soc-contract/correlations'
import { Severity } from '@manara/soc-contract/severity'

/** One moment of an alert or an attestation, with where it was. */
export type Signal = {
  kind: SignalKind
  id: string
  /** What is one and the same however often it is told: the alert, or the device that attested. */
  subject: string
  /** Milliseconds since 1970, by the events' own time. */
  at: number
  title: string
  side: 'it' | 'cps'
  source: string
  severity: Severity
  tags: string[]
  techniques: string[]
  verdict: string | null
  site_id: string | null
  zone: string | null
  host: string | null
}

export function matches(signal: Signal, condition: SignalCondition): boolean {
  const { kind, side, sources, marks, verdicts, min_severity, title } = condition
  return (
    (kind === undefined || kind === signal.kind) &&
    (side === undefined || side === signal.side) &&
    (sources === undefined || sources.some((source) => isSame(source, signal.source))) &&
    (marks === undefined || marks.some((mark) => hasMark(signal, mark))) &&
    (verdicts === undefined || verdicts.some((verdict) => verdict === signal.verdict)) &&
    (min_severity === undefined || rank(signal.severity) >= rank(min_severity)) &&
    (title === undefined || signal.title.toLowerCase().includes(title.toLowerCase()))
  )
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A technique has its sub-techniques in it. */
const hasMark = ({ tags, techniques }: Signal, mark: string) =>
  tags.some((tag) => isSame(tag, mark)) ||
  techniques.some(
    (technique) =>
      isSame(technique, mark) || technique.toLowerCase().startsWith(`${mark.toLowerCase()}.`),
  )

/** The severities from this one up. */
export const asGrave = (least: Severity): Severity[] =>
  Severity.options.filter((one) => rank(one) >= rank(least))

// The contract names the gravest first.
const rank = (severity: Severity) => -Severity.options.indexOf(severity)
