import { AsyncLocalStorage } from 'node:async_hooks'
import { nextTurn } from '@manara/kit/turns'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Principal } from '../identity/principal.ts'

/** Who asks, as the audit log names them. */
export type Member<Caller> = { caller: Caller; principal: Principal }

type Waiting<Asked, Done, Caller> = Member<Caller> & {
  asked: Asked
  /** Runs in the context of the request: what is hidden from one caller is not hidden from another. */
  inContext: <T>(work: () => T) => T
  resolve(done: Done): void
  reject(error: unknown): void
}

/** More in one transaction would keep those who wait behind it waiting too long. */
const MOST_TOGETHER = 200

/**
 * Many who ask for the same kind of change share transactions: whoever asks while one is being
 * written is in the next. When a group is refused each is tried alone, so that one bad request is
 * nobody else's.
 */
export function createGroups<Asked, Done, Caller>(
  commit: (
    group: readonly (Member<Caller> & { asked: Asked; inContext: <T>(work: () => T) => T })[],
  ) => Promise<Done[]>,
) {
  const waiting: Waiting<Asked, Done, Caller>[] = []
  let isWriting = false

  async function write() {
    if (isWriting) return
    isWriting = true
    // Requests that arrived together are read one after the other.
    await nextTurn()
    while (waiting.length > 0) await writeGroup(waiting.splice(0, MOST_TOGETHER))
    isWriting = false
  }

  async function writeGroup(group: Waiting<Asked, Done, Caller>[]) {
    try {
      const done = await commit(group)
      for (const [at, { resolve }] of group.entries()) resolve(done[at] as Done)
    } catch (error) {
      const [only, ...others] = group
      if (others.length === 0 || isConnectionFailure(error) || isOutcomeUnknown(error)) {
        for (const { reject } of group) reject(error)
        return
      }
      if (only) for (const one of group) await writeGroup([one])
    }
  }

  return (member: Member<Caller>, asked: Asked) =>
    new Promise<Done>((resolve, reject) => {
      const inContext = AsyncLocalStorage.snapshot() as <T>(work: () => T) => T
      waiting.push({ ...member, asked, inContext, resolve, reject })
      void write()
    })
}

/** Nothing may be tried again of which nobody knows whether it was done. */
const isOutcomeUnknown = (error: unknown) =>
  isConnectionFailure((error as { cause?: unknown }).cause ?? {})
