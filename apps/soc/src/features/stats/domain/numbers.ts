import { AlertStatus, SETTLED } from '@manara/soc-contract/alerts'
import { CaseStatus } from '@manara/soc-contract/cases'
import { Severity } from '@manara/soc-contract/severity'
import type { AlertNumbers, CaseNumbers } from '@manara/soc-contract/stats'

type AlertGroup = { severity: Severity; status: AlertStatus; source: string; count: number }
type CaseGroup = { severity: Severity; status: CaseStatus; count: number }

export type AlertCounts = AlertNumbers & { openBySeverity: Record<Severity, number> }

const TOP_SOURCES = 10

export function alertNumbers(groups: AlertGroup[]): AlertCounts {
  const open = groups.filter(({ status }) => !SETTLED.includes(status))
  return {
    total: sum(groups),
    open: sum(open),
    by_severity: tally(Severity.options, groups, severityOf),
    by_status: tally(AlertStatus.options, groups, ({ status }) => status),
    by_source: [...Map.groupBy(groups, ({ source }) => source)]
      .map(([source, group]) => ({ source, count: sum(group) }))
      .sort((a, b) => b.count - a.count || a.source.localeCompare(b.source))
      .slice(0, TOP_SOURCES),
    openBySeverity: tally(Severity.options, open, severityOf),
  }
}

export function caseNumbers(groups: CaseGroup[]): CaseNumbers {
  const total = sum(groups)
  const by_status = tally(CaseStatus.options, groups, ({ status }) => status)
  return {
    total,
    open: total - by_status.resolved - by_status.closed,
    by_severity: tally(Severity.options, groups, severityOf),
    by_status,
  }
}

const sum = (groups: { count: number }[]) => groups.reduce((total, { count }) => total + count, 0)

/** Every known name with its count, also those that do not occur: a chart has no holes. */
function tally<Name extends string, Group extends { count: number }>(
  names: readonly Name[],
  groups: Group[],
  nameOf: (group: Group) => Name,
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  for (const group of groups) counts[nameOf(group)] += group.count
  return counts
}

const severityOf = ({ severity }: { severity: Severity }) => severity
