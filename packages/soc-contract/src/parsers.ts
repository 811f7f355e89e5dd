import { z } from 'zod'
import { ListQuery, listOf, moment } from './lists.ts'
import { filledText, text } from './text.ts'

/** Where a value goes: a column as `src_ip` and `user`, or any other name as a field. */
const FieldName = z
  .string()
  .regex(/^[A-Za-z_@][A-Za-z0-9_.@-]{0,199}$/, 'must be letters, digits, _ . @ or -')

const LONGEST_PATTERN = 4_000

export const GrokParser = z.strictObject({
  kind: z.literal('grok'),
  pattern: filledText(LONGEST_PATTERN).meta({
    description: '`%{IP:src_ip} %{WORD:action} took %{NUMBER:duration:float}`; RE2 syntax between',
  }),
  definitions: z
    .record(z.string().regex(/^[A-Z0-9_]{1,50}$/, 'must be capital letters'), filledText(1_000))
    .refine((own) => Object.keys(own).length <= 50, 'must be at most 50')
    .default({})
    .meta({ description: 'Patterns of your own, by the name they are called by' }),
})

export const DissectParser = z.strictObject({
  kind: z.literal('dissect'),
  pattern: filledText(LONGEST_PATTERN).meta({
    description: '`%{src_ip} - %{user} [%{+ts} %{+ts}] "%{?skipped}" %{rest}`',
  }),
})

export const JsonParser = z.strictObject({
  kind: z.literal('json'),
  from: FieldName.optional().meta({
    description: 'The field that holds JSON; the message if left out, then the event itself',
  }),
  paths: z
    .record(FieldName, filledText(500))
    .refine((paths) => Object.keys(paths).length > 0, 'must name at least one')
    .refine((paths) => Object.keys(paths).length <= 100, 'must be at most 100')
    .meta({ description: 'Field to path: `{"src_ip": "$.client.addresses[0]"}`' }),
})

export const KeyValueParser = z.strictObject({
  kind: z.literal('key_value'),
  pair_separator: text(10).min(1).default(' '),
  value_separator: text(10).min(1).default('='),
  rename: z
    .record(text(200), FieldName)
    .refine((names) => Object.keys(names).length <= 200, 'must be at most 200')
    .default({})
    .meta({ description: 'Key to field: `{"srcip": "src_ip"}`; other keys keep their names' }),
})

export const ParserDefinition = z.discriminatedUnion('kind', [
  GrokParser,
  DissectParser,
  JsonParser,
  KeyValueParser,
])
export type ParserDefinition = z.infer<typeof ParserDefinition>

const SampleValue = z.union([text(10_000), z.number(), z.boolean()])

export const ParserSample = z.strictObject({
  text: filledText(16_384).meta({ description: 'A message as the source sends it' }),
  expect: z.record(FieldName, SampleValue).meta({
    description: 'What must be found; nothing at all means that it must not be read',
  }),
})
export type ParserSample = z.infer<typeof ParserSample>
const Samples = z.array(ParserSample).max(50)

export const OwnParserCreate = z.strictObject({
  name: filledText(200),
  description: text(5_000).default(''),
  source: filledText(200).meta({ description: 'Whose events it reads, by their exact source' }),
  definition: ParserDefinition,
  samples: Samples.min(1, 'at least one sample must show that it works'),
})
export type OwnParserCreate = z.infer<typeof OwnParserCreate>

/** Another definition or other samples are a new version; the one that is enabled stays until then. */
export const OwnParserUpdate = OwnParserCreate.omit({ source: true })
  .extend({ description: text(5_000) })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'must change something')
export type OwnParserUpdate = z.infer<typeof OwnParserUpdate>

export const SampleResult = z.object({
  index: z.int(),
  passed: z.boolean(),
  problem: z.string().nullable().meta({ description: 'What was expected and what was found' }),
})
export type SampleResult = z.infer<typeof SampleResult>

export const ParserVersion = z.object({
  version: z.int(),
  definition: ParserDefinition,
  samples: z.array(ParserSample),
  created_by: z.string(),
  created_at: z.string(),
})
export type ParserVersion = z.infer<typeof ParserVersion>

const Counts = {
  events_24h: z.int().meta({ description: 'Read over the last 24 hours' }),
  events: z.int().meta({ description: 'Read over the last thirty days' }),
  last_read_at: z.string().nullable(),
}

export const OwnParser = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  source: z.string(),
  enabled: z.boolean(),
  version: z.int().meta({ description: 'The newest' }),
  enabled_version: z.int().nullable().meta({ description: 'Which one reads, null when none does' }),
  definition: ParserDefinition,
  samples: z.array(ParserSample),
  sample_results: z.array(SampleResult),
  ...Counts,
  created_by: z.string(),
  created_at: z.string(),
  updated_by: z.string(),
  updated_at: z.string(),
})
export type OwnParser = z.infer<typeof OwnParser>

export const ParserSummary = z.object({
  id: z.string().meta({ description: 'What `_parser` of an event says; `own:…` for your own' }),
  parser_id: z.string().nullable().meta({ description: 'For the routes of your own parsers' }),
  origin: z.enum(['built_in', 'own']),
  name: z.string(),
  group: z.string().nullable().meta({ description: 'Of the built-in ones' }),
  source: z.string().nullable().meta({ description: 'Of your own ones' }),
  enabled: z.boolean(),
  version: z.int().nullable(),
  ...Counts,
})
export type ParserSummary = z.infer<typeof ParserSummary>

export const UnreadSource = z.object({
  source: z.string(),
  events: z.int().meta({ description: 'That nothing read, over the last 24 hours' }),
  share: z.number().meta({ description: 'Of all its events of that time' }),
  examples: z.array(z.object({ log_id: z.string(), message: z.string(), received_at: z.string() })),
})

export const ParserListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  q: true,
}).extend({ origin: z.enum(['built_in', 'own']).optional(), source: text(200).optional() })
export type ParserListQuery = z.infer<typeof ParserListQuery>

export const ParserList = listOf(ParserSummary).extend({
  unread: z
    .object({ events_24h: z.int(), sources: z.array(UnreadSource) })
    .meta({ description: 'What no parser read: the fifty sources with the most of it' }),
})

export type ParserList = z.infer<typeof ParserList>

export const ParserParams = z.object({ id: z.string() })
export const ParserVersionList = z.object({ items: z.array(ParserVersion) })

export const ParserEnable = z.strictObject({
  version: z.int().min(1).optional().meta({ description: 'The newest if left out' }),
})

const PreviewRange = {
  from: moment.optional(),
  to: moment.optional(),
  limit: z.int().min(1).max(2_000).default(500).meta({ description: 'The newest so many' }),
}

/** Without saving it. */
export const ParserPreviewDraft = z.strictObject({
  source: filledText(200),
  definition: ParserDefinition,
  samples: Samples.default([]),
  ...PreviewRange,
})
export type ParserPreviewDraft = z.infer<typeof ParserPreviewDraft>

/** Of a parser that is saved. */
export const ParserPreviewRequest = z.strictObject({
  version: z.int().min(1).optional(),
  ...PreviewRange,
})

const Shown = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown())])

export const ParserPreview = z.object({
  source: z.string(),
  looked_at: z.int().meta({ description: 'Stored events of the source' }),
  read: z.int(),
  share: z.number().nullable().meta({ description: 'Null when there are no events' }),
  read_now: z.int().meta({ description: 'Of these, read by some parser when they came' }),
  changed: z.int().meta({ description: 'Events that would come out differently' }),
  too_slow: z.boolean().meta({ description: 'Ended early: it needs too much work' }),
  fields: z.array(z.object({ name: z.string(), count: z.int(), examples: z.array(Shown) })),
  events: z
    .array(
      z.object({
        log_id: z.string(),
        message: z.string(),
        read: z.boolean(),
        parser_now: z.string().nullable(),
        changes: z.array(z.object({ field: z.string(), before: Shown, after: Shown })),
      }),
    )
    .meta({ description: 'Twenty of them, those that are not read first' }),
  samples: z.array(SampleResult),
})
export type ParserPreview = z.infer<typeof ParserPreview>
