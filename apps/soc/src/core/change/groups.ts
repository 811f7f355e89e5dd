import { AsyncLocalStorage } from 'node:async_hooks'
import { nextTurn } from '@manara/kit/turns'
import { isConnectionFailure } from '../../db/connection-failure.ts'

export type InContext = {
  /** Runs in the context of the request: what is hidden from one caller is not hidden from another. */
  inContext: <T>(work: () => T) => T
}

type Grouped<Asked, Member> = Member & InContext & { asked: Asked }

type Waiting<Asked, Done, Member> = {
  one: Grouped<Asked, Member>
  resolve(done: Done): void
  reject(error: unknown): void
}

/** More in one transaction would keep those who wait behind it waiting too long. */
const MOST_TOGETHER = 200
/** So few do not hold up who comes after them: that one is written beside them. */
const FEW = 2
/** From so many callers on, those who were just answered are waited for, since they ask again. */
const MANY = 8
/** So many are written in halves: the database works on one while the other is answered and asks. */
const ENOUGH_FOR_TWO = 12
const PATIENCE_MS = 3

/**
 * Many who ask for the same kind of change share transactions: whoever asks while one is being
 * written is in the next. When a group is refused each is tried alone, so that one bad request is
 * nobody else's.
 */
export function createGroups<Asked, Done, Member>(
  commit: (group: readonly Grouped<Asked, Member>[]) => Promise<Done[]>,
  patienceMs = PATIENCE_MS,
) {
  type Group = Waiting<Asked, Done, Member>[]
  const waiting: Group = []
  const underWay = new Set<Group>()
  let isGathering = false
  let enough: (() => void) | undefined
  /** Who was answered and is expected to ask again. */
  let away = 0

  const callers = () =>
    [...underWay].reduce((sum, { length }) => sum + length, waiting.length + away)

  /** Who is written together: all who ask, or half of them when they are many. */
  function share(): number {
    const all = callers()
    return Math.min(MOST_TOGETHER, all < ENOUGH_FOR_TWO ? all : Math.ceil(all / 2))
  }

  /** One after the other; two at a time when the first is small, or the other half is there. */
  function mayBegin(): boolean {
    const [only, ...others] = underWay
    if (only === undefined) return true
    if (others.length > 0) return false
    return only.length <= FEW || (callers() >= ENOUGH_FOR_TWO && waiting.length >= share())
  }

  async function write() {
    if (isGathering || waiting.length === 0 || !mayBegin()) return
    isGathering = true
    // Requests that arrived together are read one after the other.
    await nextTurn()
    if (callers() >= MANY && waiting.length < share()) await patience()
    isGathering = false
    const group = waiting.splice(0, share())
    underWay.add(group)
    void write()
    await writeGroup(group)
    underWay.delete(group)
    // The others had the time of a whole transaction to come back.
    if (underWay.size === 0 && waiting.length > 0) away = 0
    away += group.length
    void write()
  }

  /** A statement for eight costs little more than one for four. */
  async function patience() {
    const gathered = Promise.withResolvers<void>()
    enough = () => waiting.length >= share() && gathered.resolve()
    const timer = setTimeout(() => {
      away = 0
      gathered.resolve()
    }, patienceMs)
    await gathered.promise
    clearTimeout(timer)
    enough = undefined
  }

  async function writeGroup(group: Group) {
    try {
      const done = await commit(group.map(({ one }) => one))
      for (const [at, { resolve }] of group.entries()) resolve(done[at] as Done)
    } catch (error) {
      if (group.length === 1 || isConnectionFailure(error) || isOutcomeUnknown(error)) {
        for (const { reject } of group) reject(error)
        return
      }
      for (const each of group) await writeGroup([each])
    }
  }

  return (member: Member, asked: Asked) =>
    new Promise<Done>((resolve, reject) => {
      const inContext = AsyncLocalStorage.snapshot() as InContext['inContext']
      away = Math.max(0, away - 1)
      waiting.push({ one: { ...member, asked, inContext }, resolve, reject })
      enough?.()
      void write()
    })
}

/** Nothing may be tried again of which nobody knows whether it was done. */
const isOutcomeUnknown = (error: unknown) =>
  isConnectionFailure((error as { cause?: unknown }).cause ?? {})
