import { z } from 'zod'
import { AlertStatus } from './alerts.ts'
import { CaseStatus } from './cases.ts'
import { moment } from './lists.ts'
import { Permission } from './permissions.ts'
import { ReportFormat, ReportType } from './reports.ts'
import { Severity } from './severity.ts'
import { filledText, JsonObject, LogId, text } from './text.ts'

export const ToolErrorCode = z.enum([
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'APPROVAL_REQUIRED',
  'APPROVAL_REJECTED',
  'APPROVAL_TIMEOUT',
  'MODE_BLOCKED',
  'RATE_LIMITED',
  'TIMEOUT',
  'CONFLICT',
  'UNAVAILABLE',
  'INTERNAL',
])
export type ToolErrorCode = z.infer<typeof ToolErrorCode>

/** What every tool answers; its own fields stand beside these three. */
export const ToolEnvelope = z.looseObject({
  status: z.string(),
  error_code: ToolErrorCode.nullable(),
  error: z.string().nullable(),
})
export type ToolEnvelope = z.infer<typeof ToolEnvelope>

/** `records` writes into the platform, `acts` reaches machines and people outside it. */
export const ToolEffect = z.enum(['reads', 'records', 'acts'])
export type ToolEffect = z.infer<typeof ToolEffect>

export const ToolInfo = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  effect: ToolEffect,
  permissions: z.array(Permission),
  budget_ms: z.int().meta({ description: 'How long a call may take at most' }),
  input_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema' }),
})
export type ToolInfo = z.infer<typeof ToolInfo>

export const ToolList = z.object({ items: z.array(ToolInfo), total: z.int() })

export const ToolParams = z.object({ id: z.string(), name: z.string() })

export const ToolCallBody = z.strictObject({
  arguments: z.record(z.string(), z.unknown()).default({}),
  budget_ms: z.int().min(1).max(30_000).optional(),
})

const id = filledText(200)

export const ExecutePlaybookInput = z.strictObject({
  playbook_id: id,
  alert_id: id,
  parameters: JsonObject.default({}),
  dry_run: z.boolean().default(false),
})

export const RequestHumanApprovalInput = z.strictObject({
  action: filledText(2_000),
  justification: filledText(10_000),
  case_id: id.nullish(),
  ttl_hours: z.number().positive().max(720).default(4),
})

export const CreateCaseInput = z.strictObject({
  title: filledText(500).optional().meta({ description: 'The title of the first alert, if any' }),
  severity: Severity.default('medium'),
  alert_ids: z.array(id).max(1_000).default([]),
  description: text(20_000).nullish(),
})

export const UpdateCaseInput = z.strictObject({
  case_id: id,
  status: CaseStatus.optional(),
  notes: filledText(20_000).optional().meta({ description: 'Added as a comment' }),
  severity: Severity.optional(),
})

export const GenerateReportInput = z.strictObject({
  report_type: ReportType.optional().meta({
    description: 'investigation with a case, else executive',
  }),
  case_id: id.nullish(),
  format: ReportFormat.default('markdown'),
})

const Between = { from: moment.optional(), to: moment.optional() }
const most = (limit: number) => z.int().min(1).max(limit).default(20)

export const SearchLogsInput = z.strictObject({
  query: text(10_000).default('').meta({
    description: 'host:web-* AND (severity:high OR "failed password") NOT user:root',
  }),
  source: text(500).optional(),
  host: text(500).optional(),
  ...Between,
  limit: most(100),
})

export const AggregateLogsInput = z.strictObject({
  query: text(10_000).default(''),
  by: filledText(500).meta({ description: 'A field, such as user or src_ip; or `time`' }),
  bucket_s: z.int().min(1).max(31_536_000).optional(),
  ...Between,
  limit: most(200),
})

export const GetLogInput = z.strictObject({ log_id: LogId })
export const GetAlertInput = z.strictObject({ alert_id: id })

export const ListAlertsInput = z.strictObject({
  severity: Severity.optional(),
  status: AlertStatus.optional(),
  source: text(200).optional(),
  host: text(255).optional(),
  q: filledText(500).optional(),
  ...Between,
  limit: most(100),
})

export const GetCaseInput = z.strictObject({ case_id: id })

export const ListCasesInput = z.strictObject({
  status: CaseStatus.optional(),
  severity: Severity.optional(),
  assignee: text(320).optional(),
  q: filledText(500).optional(),
  limit: most(100),
})

export const TimelineInput = z
  .strictObject({
    host: filledText(500).optional(),
    user: filledText(500).optional(),
    address: filledText(100).optional(),
    case_id: id.optional(),
    ...Between,
    limit: z.int().min(1).max(200).default(50),
  })
  .refine(
    ({ host, user, address, case_id }) =>
      [host, user, address, case_id].filter((one) => one !== undefined).length === 1,
    { path: ['host'], message: 'name one of host, user, address and case_id' },
  )

export const RuleCoverageInput = z.strictObject({
  technique: z
    .string()
    .regex(/^T\d{4}(\.\d{3})?$/, 'must be a technique such as T1059.001')
    .optional(),
})

export const AuditTrailInput = z.strictObject({
  about: filledText(200).optional().meta({ description: 'The id of a record, or a word' }),
  actor: filledText(200).optional(),
  ...Between,
  limit: most(100),
})

export const ApprovalStatusInput = z.strictObject({ approval_id: id })
