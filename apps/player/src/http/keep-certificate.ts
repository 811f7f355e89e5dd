import type { Server } from 'node:https'
import type { Clock } from '../ports/clock.ts'

type Certificate = { key: string; cert: string }

export type KeepCertificateDeps = {
  clock: Pick<Clock, 'every'>
  /** Another certificate when names, addresses or the date ask for one. */
  renewed(): Certificate | undefined
  /** Calls back when a name or the clock may have changed; the result ends it. */
  onChange(listener: () => void): () => void
  reportProblem(problem: string | undefined): void
}

// An address that the router gives anew is in the certificate before somebody types it.
const LOOK_EVERY_MS = 15_000

/** New connections get the new certificate; those that are open go on. The result ends the watch. */
export function keepCertificate(
  server: Pick<Server, 'setSecureContext'>,
  deps: KeepCertificateDeps,
) {
  function look() {
    try {
      const fresh = deps.renewed()
      if (fresh) server.setSecureContext(fresh)
      deps.reportProblem(undefined)
    } catch (error) {
      deps.reportProblem(`the certificate could not be renewed: ${(error as Error).message}`)
    }
  }

  const endLooks = deps.clock.every(LOOK_EVERY_MS, look)
  const endChanges = deps.onChange(look)
  return () => {
    endLooks()
    endChanges()
  }
}
