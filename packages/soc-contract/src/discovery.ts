import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { filledText, RecordId, text } from './text.ts'

const network = z
  .string()
  .max(50)
  .refine(isNetwork, 'must be a network such as 10.20.3.0/24')
  .meta({ example: '10.20.3.0/24' })

function isNetwork(value: string): boolean {
  return z.cidrv4().safeParse(value).success || z.cidrv6().safeParse(value).success
}

/** Which addresses are a zone of a site. */
export const ZoneNetworkCreate = z.strictObject({
  network,
  site_id: RecordId,
  zone: filledText(100),
  purdue_level: z.number().min(0).max(5).multipleOf(0.5).nullable().default(null),
  quiet_hours: z.int().min(0).max(720).default(0).meta({
    description: 'So long new devices in it are no alert: while the zone is being learnt',
  }),
})
export type ZoneNetworkCreate = z.infer<typeof ZoneNetworkCreate>

export const ZoneNetwork = z.object({
  id: z.string(),
  network: z.string(),
  site_id: z.string(),
  zone: z.string(),
  purdue_level: z.number().nullable(),
  quiet_until: z.string(),
  created_by: z.string(),
  created_at: z.string(),
})
export type ZoneNetwork = z.infer<typeof ZoneNetwork>

export const ZoneNetworkListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  site_id: RecordId.optional(),
  sort: z.enum(['created_at']).default('created_at'),
})
export type ZoneNetworkListQuery = z.infer<typeof ZoneNetworkListQuery>

/** Somebody who has sent commands to a device. */
export const Writer = z.object({
  id: z.string(),
  device_id: z.string(),
  device_name: z.string(),
  address: z.string(),
  protocol: z.string(),
  writes: z.int(),
  is_usual: z.boolean(),
  accepted_by: z.string().nullable(),
  first_at: z.string(),
  last_at: z.string(),
  last_command: z.string(),
})
export type Writer = z.infer<typeof Writer>

export const WriterListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  device_id: text(100).optional(),
  is_usual: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional(),
  sort: z.enum(['last_at']).default('last_at'),
})
export type WriterListQuery = z.infer<typeof WriterListQuery>

export const WriterUpdate = z.strictObject({ is_usual: z.boolean() })

export const DiscoveryParams = z.object({ id: z.string() })
