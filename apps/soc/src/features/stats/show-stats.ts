import type { Showcase } from '../../showcase/showcase.ts'
import { alertNumbers, caseNumbers } from './domain/numbers.ts'
import { hourOf, period, type Span, spanStarts } from './domain/period.ts'
import type { Numbers } from './domain/summaries.ts'

/** The showcase tells one morning and stands still at its end. */
export function showcaseNow({ alerts, cases }: Showcase): Date {
  const moments = [...alerts, ...cases].map(({ updated_at }) => Date.parse(updated_at))
  return new Date(Math.max(...moments))
}

export function showNumbers(showcase: Showcase, span: Span): Numbers {
  const { alerts, cases, rules, endpoints } = showcase
  return {
    alerts: alertNumbers(alerts.map((alert) => ({ ...alert, count: 1 }))),
    cases: caseNumbers(cases.map((one) => ({ ...one, count: 1 }))),
    work: {
      pending_approvals: 0,
      running_executions: 0,
      enabled_rules: rules.length,
      endpoints: endpoints.length,
      isolated_endpoints: endpoints.filter(({ isolation }) => isolation === 'isolated').length,
    },
    activity: period(
      alerts.map(({ created_at, severity }) => ({
        from: hourOf(Date.parse(created_at)),
        severity,
        created: 1,
        acknowledged: 0,
        acknowledged_ms: 0,
        resolved: 0,
        resolved_ms: 0,
      })),
      spanStarts(showcaseNow(showcase), span),
    ),
  }
}
