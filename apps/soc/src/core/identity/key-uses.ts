import type { Logger } from '@manara/kit/logging'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../audit/entry.ts'
import type { RecordAudit } from '../audit/record-audit.ts'
import type { Session } from './principal.ts'

export const KEY_USED = 'api_key.use'

const DAY_MS = 86_400_000

/**
 * When keys were used: the first use of each day is in the audit log, so that nobody has to write
 * with every request; the moment itself is only known to the process that saw it.
 */
export function createKeyUses(deps: { recordAudit: RecordAudit; log: Logger; now?: () => number }) {
  const { recordAudit, log, now = Date.now } = deps
  const uses = new Map<string, number>()
  return {
    note(request: FastifyRequest, { id, principal }: Session) {
      const before = uses.get(id) ?? 0
      uses.set(id, now())
      if (Math.floor(before / DAY_MS) === Math.floor(now() / DAY_MS)) return
      const entry = {
        ...callerOf(request, principal),
        ...{ action: KEY_USED, target: `api_key:${id}`, outcome: 'done' as const },
        detail: 'first use of the day',
      }
      // Nobody waits for it: a sender of logs least of all.
      recordAudit([entry]).catch((err) => log.warn({ err }, 'the use of an API key was not noted'))
    },
    lastUseOf: (id: string) => uses.get(id),
  }
}
export type KeyUses = ReturnType<typeof createKeyUses>
