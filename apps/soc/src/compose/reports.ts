import type { Http } from '@manara/kit/http'
import { ReportCreate } from '@manara/soc-contract/reports'
import { createChromiumPdf } from '../adapters/chromium-pdf.ts'
import { printingInTurn } from '../adapters/printing-in-turn.ts'
import { hiding, privateBeside } from '../core/access/reader.ts'
import type { ChangeContext } from '../core/change/operator-change.ts'
import { alertsOf } from '../features/alerts/case-alerts.ts'
import { casesSince } from '../features/cases/cases/list-cases.ts'
import { judged } from '../features/cases/evidence/export-ledger.ts'
import { atOneMoment, ledgerWithin } from '../features/cases/evidence/read-ledger.ts'
import { techniqueOf } from '../features/detections/domain/mitre/techniques.ts'
import type { AreaFunctions } from '../features/playbooks/actions/functions.ts'
import { gatherCase, gatherPeriod, type Records } from '../features/reports/gather-material.ts'
import { reportRoutes } from '../features/reports/reports.routes.ts'
import { type ReportSources, storeReport, writeReport } from '../features/reports/write-report.ts'
import { readOverview } from '../features/stats/read-stats.ts'
import { statsRoutes } from '../features/stats/stats.routes.ts'
import type { Platform } from './area.ts'

/** Reports and statistics tell what other features know: each hands in how to read it. */
export function composeReports(
  platform: Platform,
  needs: Pick<Records, 'caseDetail' | 'eventsOf'>,
) {
  const { config, db, operatorChange, readThrough } = platform
  const now = () => new Date()
  const records: Records = {
    atOneMoment: (read) => atOneMoment(db, read),
    verifyLedger: async (tx, caseId) => judged(platform.witness, await ledgerWithin(tx, caseId)),
    numbers: readOverview,
    ...needs,
    ...{ casesSince, alertsOf, techniqueOf },
    // Kept, and read by all who may read the case, also those who may not read another it names.
    caseDetail: async (tx, id) =>
      hiding(await privateBeside(tx, id), () => needs.caseDetail(tx, id)),
  }
  const sources: ReportSources = {
    caseMaterial: (caseId) => gatherCase(records, caseId),
    periodMaterial: (until) => gatherPeriod(records, until),
    printer: printingInTurn(createChromiumPdf({ program: config.chromium })),
    now,
  }
  const generateReport: AreaFunctions['generateReport'] = async (change, request) => {
    const written = await writeReport(sources, ReportCreate.parse(request))
    const { id, title, sha256 } = await storeReport(change, written)
    return { report_id: id, title, sha256 }
  }

  return {
    generateReport,
    /** Writes it now and stores it later, within a change. */
    async writeReport(body: ReportCreate) {
      const written = await writeReport(sources, body)
      return (change: ChangeContext) => storeReport(change, written)
    },
    routes(api: Http) {
      reportRoutes(api, { db, readThrough, operatorChange, sources })
      statsRoutes(api, { db, readThrough, now })
    },
  }
}
