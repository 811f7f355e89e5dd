import type { Severity } from '@manara/soc-contract/severity'

const RISING: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical']

/** The same number as the function severity_rank of migration 100: what severity is sorted by. */
export const severityRank = (severity: Severity) => RISING.indexOf(severity) + 1
