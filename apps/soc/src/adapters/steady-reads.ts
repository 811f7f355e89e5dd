export type SteadyReads = ReturnType<typeof createSteadyReads>

/**
 * For answers that take several statements while stored events are written anew: each event is seen
 * as it was or as it is, never twice and never not at all. A read during which something changed
 * begins again, and then nothing changes until it ends.
 */
export function createSteadyReads() {
  let changes = 0
  let changing: Promise<unknown> | undefined
  const patient = new Set<Promise<unknown>>()

  return {
    async read<T>(begin: () => Promise<T>): Promise<T> {
      for (let isAgain = false; ; isAgain = true) {
        while (changing) await changing
        const before = changes
        const work = begin()
        if (isAgain) patient.add(work)
        try {
          const answer = await work
          if (changes === before) return answer
        } finally {
          patient.delete(work)
        }
      }
    },
    async change<T>(work: () => Promise<T>): Promise<T> {
      while (changing || patient.size > 0) await Promise.allSettled([changing, ...patient])
      changes += 1
      const done = work()
      changing = done.catch(() => {})
      try {
        return await done
      } finally {
        changing = undefined
      }
    },
  }
}
