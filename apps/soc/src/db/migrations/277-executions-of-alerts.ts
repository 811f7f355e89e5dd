import { statement } from './statement.ts'

/** What was begun for an alert is asked by whoever opens it, and by an agent for every new one. */
export const executionsOfAlerts = statement(`
  CREATE INDEX executions_of_alert ON executions (alert_id) WHERE alert_id IS NOT NULL;
`)
