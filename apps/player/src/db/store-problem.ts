import type { Db } from './open-store.ts'

/** Why the store cannot be relied on, or undefined when it can. */
export function storeProblem(db: Db): string | undefined {
  const { quick_check } = db.prepare('PRAGMA quick_check').get() as { quick_check: string }
  return quick_check === 'ok' ? undefined : `the state store is damaged: ${quick_check}`
}
