import { ReportCreate } from '@manara/soc-contract/reports'
import type { Kysely } from 'kysely'
import { createChromiumPdf } from '../adapters/chromium-pdf.ts'
import type { Tables } from '../db/tables.ts'
import { alertIdsOf, alertsOf } from '../features/alerts/case-alerts.ts'
import { casesSince } from '../features/cases/cases/list-cases.ts'
import { caseDetail } from '../features/cases/cases/read-case.ts'
import { verifyChains } from '../features/cases/domain/chain-verdict.ts'
import { atOneMoment, ledgerWithin } from '../features/cases/evidence/read-ledger.ts'
import { techniqueOf } from '../features/detections/domain/mitre/techniques.ts'
import type { AreaFunctions } from '../features/playbooks/actions/functions.ts'
import { gatherCase, gatherPeriod, type Records } from '../features/reports/gather-material.ts'
import { type ReportSources, storeReport, writeReport } from '../features/reports/write-report.ts'
import { readOverview } from '../features/stats/read-stats.ts'

/** Reports tell what other features know: each hands in how to read it. */
export function composeReports(deps: {
  db: Kysely<Tables>
  chromium: string | undefined
  now(): Date
}) {
  const records: Records = {
    atOneMoment: (read) => atOneMoment(deps.db, read),
    caseDetail: (tx, id) => caseDetail({ alertIdsOf }, tx, id),
    casesSince,
    alertsOf,
    verifyLedger: async (tx, caseId) => verifyChains(await ledgerWithin(tx, caseId)),
    numbers: readOverview,
    techniqueOf,
  }
  const sources: ReportSources = {
    caseMaterial: (caseId) => gatherCase(records, caseId),
    periodMaterial: (now) => gatherPeriod(records, now),
    printer: createChromiumPdf({ program: deps.chromium }),
    now: deps.now,
  }
  const generateReport: AreaFunctions['generateReport'] = async (change, request) => {
    const written = await writeReport(sources, ReportCreate.parse(request))
    const { id, title, sha256 } = await storeReport(change, written)
    return { report_id: id, title, sha256 }
  }
  return { sources, generateReport }
}
