import { z } from 'zod'
import { ListQuery, listOf, moment } from './lists.ts'
import { Severity } from './severity.ts'
import { filledText, RecordId, text } from './text.ts'

export const SignalKind = z.enum(['alert', 'attestation'])
export type SignalKind = z.infer<typeof SignalKind>

const Words = z.array(filledText(100)).min(1).max(50)

/** Which signals are meant: all that is said must hold. */
const Signal = z.strictObject({
  kind: SignalKind.optional(),
  side: z.enum(['it', 'cps']).optional().meta({
    description: '`cps`: of a device, of the plant’s own sources, or tagged cps, ot, ics',
  }),
  sources: Words.optional().meta({ description: 'One of these sources of alerts' }),
  marks: Words.optional().meta({
    description: 'One of these tags or ATT&CK techniques; T1021 has T1021.002 in it',
  }),
  verdicts: z
    .array(z.enum(['warning', 'contraindicated', 'none']))
    .min(1)
    .max(3)
    .optional()
    .meta({ description: 'One of these verdicts of an attestation' }),
  min_severity: Severity.optional(),
  title: filledText(200).optional().meta({ description: 'Is part of its title' }),
})

const OtherSignal = Signal.extend({
  when: z
    .enum(['before', 'after', 'around'])
    .default('around')
    .meta({ description: 'Relative to the anchor; the same moment is both' }),
  at_least: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .meta({ description: 'Different alerts, or attestations of different devices' }),
  other_host: z.boolean().default(false).meta({ description: 'Only elsewhere than the anchor' }),
})
export type SignalCondition = z.infer<typeof Signal>

const Same = z.enum(['site', 'zone', 'host'])

const RuleFields = z.strictObject({
  name: filledText(200),
  description: text(2_000).nullable(),
  enabled: z.boolean(),
  severity: Severity,
  same: z
    .array(Same)
    .min(1)
    .max(3)
    .refine((names) => new Set(names).size === names.length, 'repeats one')
    .meta({ description: 'What all of them have in common; a zone is one of its site' }),
  within_minutes: z.int().min(1).max(10_080),
  anchor: Signal.refine(
    (signal) => Object.keys(signal).length > 0,
    'must say which signals are meant',
  ).meta({ description: 'Each of these may be one correlation' }),
  others: z.array(OtherSignal).min(1).max(5).meta({ description: 'Each must be there' }),
})

export const CorrelationRuleCreate = RuleFields.extend({
  description: RuleFields.shape.description.default(null),
  enabled: z.boolean().default(true),
  severity: Severity.default('high'),
  within_minutes: RuleFields.shape.within_minutes.default(60),
})
export type CorrelationRuleCreate = z.infer<typeof CorrelationRuleCreate>

export const CorrelationRuleUpdate = RuleFields.partial().refine(
  (body) => Object.keys(body).length > 0,
  'must change something',
)
export type CorrelationRuleUpdate = z.infer<typeof CorrelationRuleUpdate>

export const CorrelationRule = RuleFields.extend({
  id: z.string(),
  is_shipped: z.boolean(),
  correlation_count: z.int(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type CorrelationRule = z.infer<typeof CorrelationRule>

export const CorrelationRuleListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({ sort: z.enum(['created_at']).default('created_at') })
export type CorrelationRuleListQuery = z.infer<typeof CorrelationRuleListQuery>

/** A record that is there, and what part it has in it. */
export const CorrelationEvidence = z.object({
  kind: SignalKind,
  id: z.string(),
  subject: z.string().meta({
    description: 'What is told of once: the alert itself, or the device that attested',
  }),
  role: z.enum(['anchor', 'other']),
  at: z.string().meta({ description: 'The first of its times that counts here' }),
  title: z.string(),
  host: z.string().nullable(),
})
export type CorrelationEvidence = z.infer<typeof CorrelationEvidence>

const Found = z.object({
  rule_name: z.string(),
  title: z.string(),
  severity: Severity,
  why: z.string(),
  site_id: z.string().nullable(),
  zone: z.string().nullable(),
  host: z.string().nullable(),
  first_at: z.string(),
  last_at: z.string(),
  evidence: z.array(CorrelationEvidence).meta({ description: 'At most a hundred, in time' }),
  evidence_count: z.int(),
})
export type FoundCorrelation = z.infer<typeof Found>

export const Correlation = Found.extend({
  id: z.string(),
  rule_id: z.string().nullable().meta({ description: 'Null when the rule was deleted since' }),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Correlation = z.infer<typeof Correlation>

export const CorrelationListQuery = ListQuery.extend({
  rule_id: text(100).optional(),
  severity: Severity.optional(),
  site_id: RecordId.optional(),
  zone: text(200).optional(),
  host: text(255).optional(),
  evidence_id: text(100).optional().meta({ description: 'Of an alert or an attestation' }),
  sort: z.enum(['created_at', 'updated_at', 'last_at']).default('created_at'),
})
export type CorrelationListQuery = z.infer<typeof CorrelationListQuery>

export const CorrelationParams = z.object({ id: z.string() })

/** A draft, or a rule that is there, over what has been. */
export const CorrelationPreview = z
  .strictObject({
    rule: CorrelationRuleCreate.optional(),
    rule_id: text(100).optional(),
    from: moment.optional(),
    to: moment.optional(),
  })
  .refine((body) => (body.rule === undefined) !== (body.rule_id === undefined), {
    path: ['rule'],
    message: 'send either rule or rule_id',
  })
export type CorrelationPreview = z.infer<typeof CorrelationPreview>

export const CorrelationPreviewResult = z.object({
  items: z.array(Found).meta({ description: 'At most two hundred, newest first' }),
  total: z.int(),
  signals: z.int().meta({ description: 'So many were looked at' }),
  from: z.string(),
  to: z.string(),
  partial: z.boolean().meta({ description: 'There were more signals than are looked at' }),
})
export type CorrelationPreviewResult = z.infer<typeof CorrelationPreviewResult>

export const CorrelationList = listOf(Correlation)
