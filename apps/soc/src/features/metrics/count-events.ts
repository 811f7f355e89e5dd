import type { Meter } from '../../core/metrics/meter.ts'

type Told = { event: string; data: object }

/** What this process has committed, as it was told to listeners. */
export function countEvents(meter: Meter) {
  const raised = meter.counter(
    'soc_alerts_raised_total',
    'Alerts that this process has raised; one that came again is not raised anew',
    ['severity'],
  )
  const failed = meter.counter(
    'soc_rule_runs_failed_total',
    'Runs of rules, scheduled or by hand, that failed in this process',
  )
  return (events: Told[]) => {
    for (const { event, data } of events) {
      if (event === 'alert.created' && 'severity' in data) {
        raised.inc({ severity: String(data.severity) })
      }
      if (event === 'rule_run.failed') failed.inc()
    }
  }
}
