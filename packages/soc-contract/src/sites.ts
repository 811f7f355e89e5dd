import { z } from 'zod'
import { AGENTS, agentCalled } from './agent-names.ts'
import { ListQuery } from './lists.ts'
import { filledText, text } from './text.ts'
import { Timezone } from './timezone.ts'

export const SiteStatus = z.enum(['active', 'maintenance', 'inactive'])
export type SiteStatus = z.infer<typeof SiteStatus>

const Criticality = z.enum(['low', 'medium', 'high', 'critical'])

const word = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._/-]{0,63}$/u,
    'must be a word of at most 64 letters, digits, spaces and . _ / -',
  )

const listOfWords = (most: number) => onceEach(z.array(word).max(most))

function onceEach<Item extends z.ZodType<string>>(list: z.ZodArray<Item>) {
  return list.superRefine((values, context) => {
    for (const [index, value] of values.entries()) {
      const isRepeated = values.findIndex((other) => isSame(other, value)) < index
      if (isRepeated) {
        context.addIssue({ code: 'custom', path: [index], message: `repeats ${value}` })
      }
    }
  })
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const SupportedAgent = z
  .string()
  .refine(
    (said) => agentCalled(said) !== undefined,
    'must be agent-001 to agent-016, or the name of an agent such as Triage',
  )

/** What stands at a site and what may work there. What is left out of a new one has no limit. */
export const SiteProfile = z.strictObject({
  asset_classes: listOfWords(100).meta({ example: ['workstation', 'server', 'plc'] }),
  zones: listOfWords(100),
  criticality: Criticality,
  supported_agents: onceEach(z.array(SupportedAgent).max(AGENTS.length)),
  log_sources: z
    .array(filledText(500))
    .max(200)
    .meta({ description: 'Sources of `GET /siem/sources` that stand at this site: its health' }),
})
export type SiteProfile = z.infer<typeof SiteProfile>

const SiteFields = z.strictObject({
  name: filledText(200),
  region: text(200).nullable(),
  timezone: Timezone,
  status: SiteStatus,
})

export const SiteCreate = SiteFields.extend({
  region: SiteFields.shape.region.default(null),
  timezone: Timezone.default('UTC'),
  status: SiteStatus.default('active'),
  profile: SiteProfile.extend({
    asset_classes: SiteProfile.shape.asset_classes.default([]),
    zones: SiteProfile.shape.zones.default([]),
    criticality: Criticality.default('medium'),
    supported_agents: SiteProfile.shape.supported_agents.default(AGENTS.map(({ id }) => id)),
    log_sources: SiteProfile.shape.log_sources.default([]),
  }).prefault({}),
})
export type SiteCreate = z.infer<typeof SiteCreate>

export const SiteUpdate = SiteFields.partial()
  .extend({ profile: SiteProfile.partial().optional() })
  .refine((body) => Object.keys(body).length > 0, 'must change something')
export type SiteUpdate = z.infer<typeof SiteUpdate>

const lastEventAt = z.string().nullable()

export const SiteHealth = z.object({
  status: z.enum(['healthy', 'degraded', 'silent', 'unknown']).meta({
    description:
      '`degraded`: some of what stands there is silent; `silent`: all of it; `unknown`: nothing is known to stand there',
  }),
  last_event_at: lastEventAt,
  log_sources: z.array(
    z.object({ source: z.string(), last_event_at: lastEventAt, is_silent: z.boolean() }),
  ),
  machines: z.array(
    z.object({
      kind: z.enum(['endpoints', 'devices']),
      total: z.int(),
      silent: z.int(),
      last_event_at: lastEventAt,
    }),
  ),
})
export type SiteHealth = z.infer<typeof SiteHealth>

export const Site = z.object({
  id: z.string(),
  name: z.string(),
  region: z.string().nullable(),
  timezone: z.string(),
  status: SiteStatus,
  profile: z.object({
    ...SiteProfile.shape,
    asset_classes: z.array(z.string()),
    zones: z.array(z.string()),
    supported_agents: z.array(z.string()),
    log_sources: z.array(z.string()),
  }),
  health: SiteHealth,
  created_at: z.string(),
  updated_at: z.string(),
})
export type Site = z.infer<typeof Site>

export const SiteListQuery = ListQuery.extend({
  status: SiteStatus.optional(),
  criticality: Criticality.optional(),
  asset_class: text(64).optional(),
  sort: z.enum(['created_at', 'updated_at']).default('created_at'),
})
export type SiteListQuery = z.infer<typeof SiteListQuery>

export const SiteParams = z.object({ id: z.string() })
