import { IocType } from '@manara/soc-contract/iocs'
import { type RawBuilder, sql } from 'kysely'

/** The source of the events of a load, by which they are dropped: another for each, so that nobody's are under it. */
export const sourceOf = (loadId: string) => `demonstration-${loadId.slice(-12)}`

/** `.invalid` is no name on any network; a sender may write one, so that it proves nothing. */
export const DEMONSTRATION_DOMAIN = 'demo.invalid'

const isOfLoad = (logId: string) =>
  sql<boolean>`starts_with(${sql.ref(logId)}, 'demo-' || load.id || '-')`

/**
 * Whether an alert came of events that the service itself has loaded, and no other event is counted
 * on it. Hosts and addresses are not asked for: whoever sends events writes those.
 */
export const isInvented = sql<boolean>`EXISTS (
  SELECT FROM demonstration AS load WHERE ${isOfLoad('alerts.source_ref')}
    AND NOT EXISTS (SELECT FROM detection_hits AS hit
      WHERE hit.alert_id = alerts.id AND NOT ${isOfLoad('hit.log_id')})
    AND (alerts.source <> 'ioc' OR NOT EXISTS (SELECT FROM iocs
      JOIN ioc_sightings AS seen ON seen.ioc_id = iocs.id
      WHERE iocs.type = ANY(${IocType.options}::text[]) AND iocs.value = ANY(alerts.iocs)
        AND seen.host = alerts.host AND NOT ${isOfLoad('seen.log_id')})))`

/**
 * Whether what is asked for is about the invented incident alone: an invented alert, or a case that
 * has no other. What follows from it reaches nothing real.
 */
export const isDemonstration = (
  alertId: string | null,
  caseId: string | null,
): RawBuilder<boolean> => sql<boolean>`coalesce((SELECT bool_and(${isInvented}) FROM alerts
  WHERE id = ${alertId}::uuid OR (${alertId}::uuid IS NULL AND case_id = ${caseId}::uuid)), false)`
