import type { RuntimeMode, RuntimeTruth } from '@manara/soc-contract/system'

/** The mode table of the contract, in one place. */
export function runtimeTruth(mode: RuntimeMode, isDatabaseAvailable: boolean): RuntimeTruth {
  const showcaseAllowed = mode === 'dummy'
  const usesShowcase = showcaseAllowed && !isDatabaseAvailable
  return {
    mode,
    is_database_available: isDatabaseAvailable,
    showcase_reads_allowed: showcaseAllowed,
    uses_showcase_data: usesShowcase,
    read_data_source: isDatabaseAvailable ? 'database' : usesShowcase ? 'showcase' : 'unavailable',
    is_mutations_allowed: mode === 'real',
    is_internal_workflows_allowed: mode !== 'dummy',
    is_external_actions_allowed: mode === 'real',
  }
}
