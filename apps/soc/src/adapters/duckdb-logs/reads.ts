import { createQueue } from '@manara/kit/queue'
import type { Damage, Incomplete, LogSelection } from '../../ports/log-store.ts'
import { damageIn } from './damages.ts'
import { findDamage, isCorrupt } from './find-damage.ts'
import { damagesOf, type Store } from './store.ts'

export type Reads = ReturnType<typeof createReads>

/** Reads on one store; what of it turns out damaged is told, and left out from then on. */
export function createReads(
  store: Store,
  warn: (text: string) => void,
  tellDamages: (damages: Damage[]) => void,
) {
  const looking = createQueue()
  let found = 0

  /** One look for all that failed together. */
  function lookForDamage(): Promise<boolean> {
    const before = found
    return looking.run(async () => {
      if (found > before) return true
      if (!(await findDamage(store, warn))) return false
      found += 1
      tellDamages(damagesOf(store))
      return true
    })
  }

  /** Whether it failed by damage that is left out from now on: then it is worth another try. */
  const isOvercome = async (error: unknown) => isCorrupt(error) && (await lookForDamage())

  /** Keeps the partitions it began with until it ends; where they turn out damaged it begins again. */
  async function reading<T>(begin: () => Promise<T>): Promise<T> {
    for (;;) {
      const work = begin()
      store.running.add(work)
      try {
        return await work
      } catch (error) {
        if (!(await isOvercome(error))) throw error
      } finally {
        store.running.delete(work)
      }
    }
  }

  /** As if no event were written anew meanwhile. */
  const steadily = <T>(begin: () => Promise<T>) => store.steady.read(() => reading(begin))

  /** The answer, with what is missing from it by damage. */
  async function whole<T extends { partial: Incomplete }>(
    selection: LogSelection,
    begin: () => Promise<T>,
  ): Promise<T> {
    const answer = await steadily(begin)
    const damage = damageIn(damagesOf(store), selection)
    if (damage === null) return answer
    const { partial } = answer
    const both = partial && { ...partial, detail: `${partial.detail}; ${damage.detail}` }
    return {
      ...answer,
      partial: both ?? damage,
      ...('isTotalExact' in answer ? { isTotalExact: false } : {}),
    }
  }

  return { isOvercome, reading, steadily, whole }
}
