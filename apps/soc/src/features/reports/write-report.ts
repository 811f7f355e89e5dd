import type { Report, ReportCreate, ReportFormat } from '@manara/soc-contract/reports'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { PdfPrinter } from '../../ports/pdf-printer.ts'
import { compliance, executive, investigation } from './domain/case-reports.ts'
import type { Block, ReportDocument } from './domain/document.ts'
import type { CaseMaterial, PeriodMaterial } from './domain/material.ts'
import { clock } from './domain/moments.ts'
import { compliancePeriod, executivePeriod } from './domain/period-reports.ts'
import { renderHtml } from './domain/render-html.ts'
import { renderMarkdown } from './domain/render-markdown.ts'
import { insertReport } from './reports.store.ts'

export type ReportSources = {
  /** 404 for a case that is not there. */
  caseMaterial(caseId: string): Promise<CaseMaterial>
  periodMaterial(now: Date): Promise<PeriodMaterial>
  printer: PdfPrinter
  now(): Date
}

export type WrittenReport = ReportCreate & { title: string; content: Buffer }

/** Reads what the report is about and writes it; nothing is stored yet. */
export async function writeReport(
  sources: ReportSources,
  asked: ReportCreate,
): Promise<WrittenReport> {
  const now = sources.now()
  const { heading, caseId, blocks } = await substance(sources, asked, now)
  const title = asked.title ?? heading
  const subtitle = `${KINDS[asked.report_type]} report, as of ${clock(now.toISOString())} UTC`
  const content = await inFormat(asked.format, { title, subtitle, blocks }, sources.printer)
  return { ...asked, case_id: caseId, title, content }
}

export async function storeReport(change: ChangeContext, written: WrittenReport): Promise<Report> {
  const report = await insertReport(change.tx, {
    report_type: written.report_type,
    format: written.format,
    case_id: written.case_id ?? null,
    title: written.title,
    content: written.content,
    created_by: change.principal.username,
  })
  const { content: _, ...summary } = report
  await change.audit({ action: 'report.create', target: `report:${report.id}`, after: summary })
  await change.publish('report.created', summary)
  return report
}

const KINDS = {
  investigation: 'Investigation',
  executive: 'Executive',
  compliance: 'Compliance',
}
const OF_CASE = { investigation, executive, compliance }
const OF_PERIOD = { executive: executivePeriod, compliance: compliancePeriod }

type Substance = { heading: string; caseId: string | null; blocks: Block[] }

async function substance(
  sources: ReportSources,
  { report_type: type, case_id: caseId }: ReportCreate,
  now: Date,
): Promise<Substance> {
  if (caseId != null || type === 'investigation') {
    const material = await sources.caseMaterial(caseId ?? '')
    const { id, title } = material.detail
    return { heading: title, caseId: id, blocks: OF_CASE[type](material) }
  }
  const material = await sources.periodMaterial(now)
  return { heading: 'The last thirty days', caseId: null, blocks: OF_PERIOD[type](material) }
}

async function inFormat(
  format: ReportFormat,
  document: ReportDocument,
  printer: PdfPrinter,
): Promise<Buffer> {
  switch (format) {
    case 'markdown':
      return Buffer.from(renderMarkdown(document))
    case 'html':
      return Buffer.from(renderHtml(document))
    case 'pdf':
      return printer.print(renderHtml(document))
  }
}
