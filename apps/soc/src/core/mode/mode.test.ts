import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modeOf, runtimeTruth } from './mode.ts'

// mode, database, reads from, showcase allowed, showcase used, changes, internal workflows, outside actions
const TABLE = [
  ['dummy', true, 'database', true, false, false, false, false],
  ['dummy', false, 'showcase', true, true, false, false, false],
  ['dry_run', true, 'database', false, false, false, true, false],
  ['dry_run', false, 'unavailable', false, false, false, true, false],
  ['real', true, 'database', false, false, true, true, true],
  ['real', false, 'unavailable', false, false, true, true, true],
] as const

for (const [mode, isUp, source, allowed, used, changes, internal, external] of TABLE) {
  test(`runtime truth of ${mode} with the database ${isUp ? 'up' : 'away'}`, () => {
    assert.deepEqual(runtimeTruth(modeOf(mode), isUp), {
      mode,
      is_database_available: isUp,
      showcase_reads_allowed: allowed,
      uses_showcase_data: used,
      read_data_source: source,
      is_mutations_allowed: changes,
      is_internal_workflows_allowed: internal,
      is_external_actions_allowed: external,
    })
  })
}
