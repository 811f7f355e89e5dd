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
/** So few do not hold up who comes after them: that one is written beside them. */
const FEW = 2
/** From so many callers on, those who were just answered are waited for, since they ask again. */
const MANY = 8
const PATIENCE_MS = 3

/**
 * Many who ask for the same kind of change share transactions: whoever asks while one is being
 * written is in the next. When a group is refused each is tried alone, so that one bad request is
 * nobody else's.
 */
export function createGroups<Asked, Done, Caller>(
  commit: (
    group: readonly (Member<Caller> & { asked: Asked; inContext: <T>(work: () => T) => T })[],
  ) => Promise<Done[]>,
  patienceMs = PATIENCE_MS,
) {
  const waiting: Waiting<Asked, Done, Caller>[] = []
  const underWay = new Set<Waiting<Asked, Done, Caller>[]>()
  let isGathering = false
  let enough: (() => void) | undefined
  let expected = 0

  /** One after the other; small ones two at a time. */
  function mayBegin(): boolean {
    const [only, ...others] = underWay
    return others.length === 0 && (only === undefined || only.length <= FEW)
  }

  async function write() {
    if (isGathering || waiting.length === 0 || !mayBegin()) return
    isGathering = true
    // Requests that arrived together are read one after the other.
    await nextTurn()
    if (waiting.length < expected) await patience()
    isGathering = false
    const group = waiting.splice(0, MOST_TOGETHER)
    underWay.add(group)
    await writeGroup(group)
    underWay.delete(group)
    const callers = group.length + waiting.length
    expected = callers >= MANY ? Math.min(callers, MOST_TOGETHER) : 0
    void write()
  }

  /** A statement for sixteen costs little more than one for eight. */
  async function patience() {
    const gathered = Promise.withResolvers<void>()
    enough = () => waiting.length >= expected && gathered.resolve()
    const timer = setTimeout(gathered.resolve, patienceMs)
    await gathered.promise
    clearTimeout(timer)
    enough = undefined
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
      enough?.()
      void write()
    })
}

/** Nothing may be tried again of which nobody knows whether it was done. */
const isOutcomeUnknown = (error: unknown) =>
  isConnectionFailure((error as { cause?: unknown }).cause ?? {})
