import type { Meter, Tell } from '../../core/metrics/meter.ts'
import type { WorkLevels } from './metrics.store.ts'
import type { Remembered } from './remember.ts'

/** Alerts, rules and queues, as the database has them: the same from every process that shares it. */
export function registerWork(meter: Meter, work: Remembered<WorkLevels>) {
  function level(
    name: string,
    help: string,
    labels: string[],
    tellOf: (levels: WorkLevels, tell: Tell) => void,
  ) {
    meter.level(name, help, labels, async (tell) => {
      const levels = await work()
      if (levels) tellOf(levels, tell)
    })
  }

  level('soc_alerts', 'Alerts that are kept', ['severity', 'status'], ({ alerts }, tell) => {
    for (const { severity, status, amount } of alerts) tell({ severity, status }, amount)
  })
  level('soc_rules', 'Detection rules', ['state'], ({ rules }, tell) => {
    tell({ state: 'on' }, rules.on)
    tell({ state: 'off' }, rules.off)
  })
  level(
    'soc_rules_without_data',
    'Rules that are on and of whose source no event was ever seen',
    [],
    ({ rules }, tell) => tell({}, rules.without_data),
  )
  level('soc_rules_failing', 'Rules whose last scheduled run failed', [], ({ rules }, tell) =>
    tell({}, rules.failing),
  )
  level('soc_rules_due', 'Rules whose scheduled time has come', [], ({ rules }, tell) =>
    tell({}, rules.due),
  )
  level(
    'soc_rule_lag_seconds',
    'How long the rule that is due the longest has waited for its run',
    [],
    ({ rules }, tell) => tell({}, rules.lag_s),
  )
  level(
    'soc_queue_depth',
    'What waits or is under way in the database, by queue',
    ['queue'],
    ({ queues }, tell) => {
      for (const [queue, depth] of Object.entries(queues)) tell({ queue }, depth)
    },
  )
}
