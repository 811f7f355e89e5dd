import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import { isConnectionFailure } from '../../../db/connection-failure.ts'
import type { Tables } from '../../../db/tables.ts'

export type PassDeps = {
  db: Kysely<Tables>
  now(): number
  log: Logger
  signal: AbortSignal
  /** Nothing is left to do. */
  done(): void
}

/** Some rules at a time, until `next` finds none. Rules work without it: what fails is told, and left. */
export function passOverRules(
  { log, signal, done }: PassDeps,
  failure: string,
  next: () => Promise<boolean>,
) {
  let isDone = false

  async function pass(): Promise<boolean> {
    if (isDone) return false
    try {
      if (await next()) return true
    } catch (error) {
      if (isConnectionFailure(error) || signal.aborted) throw error
      log.error({ err: error }, failure)
    }
    isDone = true
    done()
    return false
  }

  return { pass, isDone: () => isDone }
}
