import type { RuntimeMode, RuntimeTruth } from '@manara/soc-contract/system'

/** What the service may do: the mode table of the contract, asked by name instead of compared. */
export type Mode = Readonly<{
  name: RuntimeMode
  /** What an analyst's change comes to. */
  operatorChanges: 'made' | 'previewed' | 'refused'
  /** Pipelines run and store their records; log events are taken in. */
  runsPipelines: boolean
  /** Commands reach endpoints, webhooks and mail servers; where not, a receipt is simulated. */
  actsOutside: boolean
  /** Reads show the story while the database is away. */
  showsStory: boolean
}>

const MODES: Record<RuntimeMode, Mode> = {
  dummy: {
    name: 'dummy',
    operatorChanges: 'refused',
    runsPipelines: false,
    actsOutside: false,
    showsStory: true,
  },
  dry_run: {
    name: 'dry_run',
    operatorChanges: 'previewed',
    runsPipelines: true,
    actsOutside: false,
    showsStory: false,
  },
  real: {
    name: 'real',
    operatorChanges: 'made',
    runsPipelines: true,
    actsOutside: true,
    showsStory: false,
  },
}

export const modeOf = (name: RuntimeMode): Mode => MODES[name]

export function runtimeTruth(mode: Mode, isDatabaseAvailable: boolean): RuntimeTruth {
  const usesShowcase = mode.showsStory && !isDatabaseAvailable
  return {
    mode: mode.name,
    is_database_available: isDatabaseAvailable,
    showcase_reads_allowed: mode.showsStory,
    uses_showcase_data: usesShowcase,
    read_data_source: isDatabaseAvailable ? 'database' : usesShowcase ? 'showcase' : 'unavailable',
    is_mutations_allowed: mode.operatorChanges === 'made',
    is_internal_workflows_allowed: mode.runsPipelines,
    is_external_actions_allowed: mode.actsOutside,
  }
}
