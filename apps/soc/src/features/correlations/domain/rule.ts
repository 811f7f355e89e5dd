import type { CorrelationRuleCreate } from '@manara/soc-contract/correlations'

/** What of a rule decides. */
export type CorrelatingRule = Pick<
  CorrelationRuleCreate,
  'name' | 'severity' | 'same' | 'within_minutes' | 'anchor' | 'others'
>
