import type { Http } from '@manara/kit/http'
import type { Alert } from '@manara/soc-contract/alerts'
import type { Kysely } from 'kysely'
import type { ChangeContext } from '../core/change/operator-change.ts'
import type { Tables } from '../db/tables.ts'
import { type AlertEventSources, alertEvents } from '../features/alerts/alert-events.ts'
import { alertRoutes } from '../features/alerts/alerts.routes.ts'
import {
  alertIdsOf,
  indicatorsOf,
  linkAlerts,
  moveAlerts,
  releaseAlerts,
} from '../features/alerts/case-alerts.ts'
import { linkAlert } from '../features/alerts/link-alert.ts'
import type { OpenCase } from '../features/alerts/promote-alert.ts'
import { raiseAlert } from '../features/alerts/raise-alert.ts'
import { settleAlert } from '../features/alerts/settle-alert.ts'
import { caseRoutes } from '../features/cases/cases/cases.routes.ts'
import { deleteCase } from '../features/cases/cases/delete-case.ts'
import { listCases } from '../features/cases/cases/list-cases.ts'
import { mergeCases } from '../features/cases/cases/merge-cases.ts'
import { noteInCases } from '../features/cases/cases/note-in-cases.ts'
import { openCase } from '../features/cases/cases/open-case.ts'
import { caseDetail, readCase } from '../features/cases/cases/read-case.ts'
import { unmergeCases } from '../features/cases/cases/unmerge-cases.ts'
import { updateCase } from '../features/cases/cases/update-case.ts'
import { evidenceRoutes } from '../features/cases/evidence/evidence.routes.ts'
import { casePartRoutes } from '../features/cases/parts/parts.routes.ts'
import { eventsOfAlert } from '../features/detections/runs/events-of-alert.ts'
import { sightedEvents } from '../features/iocs/events-of-alert.ts'
import { toLog } from '../features/siem/search/log-record.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'

const alerts = { linkAlerts, releaseAlerts, moveAlerts, alertIdsOf, indicatorsOf }

/** Alerts and cases, which know of each other only through what is handed over here. */
export function composeRecords(platform: Platform, { logs }: { logs: Pick<LogStore, 'byIds'> }) {
  const { db, operatorChange, inGroups, readThrough, witness } = platform
  const opening: OpenCase = (change, fields) => openCase(alerts, change, fields)
  const records = { db, operatorChange, readThrough }

  const events: AlertEventSources = {
    countedEvents: [eventsOfAlert, sightedEvents],
    readEvents: async (ids) => (await logs.byIds(ids)).map(toLog),
  }

  return {
    /** For reports: those that are still stored. */
    async eventsOf(tx: Kysely<Tables>, alert: Alert, most: number) {
      const { items } = await alertEvents(events, tx, alert, { skip: 0, limit: most })
      return items.flatMap(({ event }) => event ?? [])
    },
    openCase: opening,
    noteInCases,
    raiseAlert: raiseAlert.bind(undefined, noteInCases),
    settleAlert,
    linkAlert: linkAlert.bind(undefined, noteInCases),
    caseDetail: caseDetail.bind(undefined, alerts),
    readCase: readCase.bind(undefined, alerts),
    listCases: listCases.bind(undefined, alerts),
    updateCase: updateCase.bind(undefined, alerts),
    deleteCase: deleteCase.bind(undefined, alerts),
    mergeCases: mergeCases.bind(undefined, alerts),
    unmergeCases: unmergeCases.bind(undefined, alerts),
    releaseAlerts: (change: ChangeContext, caseId: string, ids: string[]) =>
      releaseAlerts(change, [caseId], ids),
    routes(api: Http) {
      alertRoutes(api, { ...records, inGroups, events, openCase: opening, noteInCases })
      const cases = { ...records, alerts, now: () => new Date() }
      caseRoutes(api, cases)
      casePartRoutes(api, cases)
      evidenceRoutes(api, { ...cases, witness })
    },
  }
}
