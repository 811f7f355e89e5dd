import type { Db } from './open-store.ts'

/** Why the store cannot be relied on, or undefined when it can. */
export function storeProblem(db: Db): string | undefined {
  // The quick check does not look whether indexes, by which settings are found, name what is there.
  const { integrity_check: found } = db.prepare('PRAGMA integrity_check').get() ?? {}
  return found === 'ok' ? undefined : `the state store is damaged: ${found}`
}
