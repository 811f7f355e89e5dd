import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { filledText, text } from './text.ts'

export const ReportType = z.enum(['investigation', 'executive', 'compliance'])
export type ReportType = z.infer<typeof ReportType>

export const ReportFormat = z.enum(['markdown', 'html', 'pdf'])
export type ReportFormat = z.infer<typeof ReportFormat>

export const Report = z.object({
  id: z.string(),
  report_type: ReportType,
  format: ReportFormat,
  status: z.literal('completed'),
  case_id: z.string().nullable(),
  title: z.string(),
  content: z
    .string()
    .nullable()
    .describe('Text, or base64 for pdf; null in lists: read the one report for it'),
  content_encoding: z.enum(['utf-8', 'base64']),
  sha256: z.string().describe('Of the content as it is downloaded'),
  created_by: z.string(),
  created_at: z.string(),
})
export type Report = z.infer<typeof Report>

/** An investigation is of one case; the others without a case are of the last thirty days. */
export const ReportCreate = z
  .strictObject({
    report_type: ReportType,
    case_id: text(200).nullish(),
    format: ReportFormat.default('markdown'),
    title: filledText(500).nullish(),
  })
  .refine((body) => body.report_type !== 'investigation' || body.case_id != null, {
    path: ['case_id'],
    message: 'must name the case that the investigation report is about',
  })
export type ReportCreate = z.infer<typeof ReportCreate>

export const ReportListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  report_type: ReportType.optional(),
  format: ReportFormat.optional(),
  case_id: text(200).optional(),
})
export type ReportListQuery = z.infer<typeof ReportListQuery>

export const ReportParams = z.object({ report_id: z.string() })
