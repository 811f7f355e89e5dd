import { setTimeout as pause } from 'node:timers/promises'
import type { Execution } from '@manara/soc-contract/playbooks'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { executionById } from './executions.store.ts'

const LOOK_MS = 200
const LOOKING_MS = 20_000
const UNDER_WAY = new Set(['pending', 'running'])

/** Told is how far it has come when it ends, or when the caller's time does; it goes on by itself. */
export async function whenExecuted(
  db: Kysely<Tables>,
  id: string,
  caller: AbortSignal,
): Promise<Execution> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(LOOKING_MS)])
  let execution = await executionById(db, id)
  while (UNDER_WAY.has(execution.status) && !signal.aborted) {
    await pause(LOOK_MS, undefined, { signal }).catch(() => {})
    execution = await executionById(db, id)
  }
  return execution
}
