import { z } from 'zod'

export const RuntimeMode = z.enum(['dummy', 'dry_run', 'real'])
export type RuntimeMode = z.infer<typeof RuntimeMode>

export const RuntimeTruth = z.object({
  mode: RuntimeMode,
  is_database_available: z.boolean(),
  showcase_reads_allowed: z.boolean(),
  uses_showcase_data: z.boolean(),
  read_data_source: z.enum(['database', 'showcase', 'unavailable']),
  is_mutations_allowed: z.boolean(),
  is_internal_workflows_allowed: z.boolean(),
  is_external_actions_allowed: z.boolean(),
})
export type RuntimeTruth = z.infer<typeof RuntimeTruth>

export const Health = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  mode: RuntimeMode,
  ready: z.boolean().meta({ description: 'Whether signing in works' }),
  database: z
    .enum(['up', 'read_only', 'down'])
    .meta({ description: 'read_only: it answers, and refused a change within the last minute' }),
  log_store: z.enum(['ok', 'damaged', 'partial', 'read_only', 'down']).meta({
    description:
      'damaged: stored events are lost, searches over their time are partial; partial: some of its servers do not answer; read_only: it answers, and refused events within the last minute; down: it does not answer or refuses, and alerts, cases and all else that needs no logs go on',
  }),
  disk: z.enum(['ok', 'full']).meta({ description: 'full: nothing more is taken' }),
})
export type Health = z.infer<typeof Health>

export const Topology = z.object({
  /** `standalone` keeps its own database; `distributed` shares one through DATABASE_URL. */
  deployment_mode: z.enum(['standalone', 'distributed']),
  hostname: z.string(),
  platform: z.string(),
  mode: RuntimeMode.describe('As in `GET /system/mode`; the same as `runtime_mode`'),
  runtime_mode: RuntimeMode,
  sites: z.array(z.object({ id: z.string(), name: z.string() }).loose()),
})
export type Topology = z.infer<typeof Topology>
