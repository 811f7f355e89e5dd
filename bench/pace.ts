const PLACES = 2 ** 21
const STEPS = 1_500_000

/** From the least to the most. */
export type Pace = { least: number; most: number }

/**
 * What one piece of work, always the same, takes of the processor: a machine that is shared has slow
 * minutes, in which all else that is measured takes longer too. It goes from place to place in memory,
 * since that is what neighbours take away.
 */
export function createPace() {
  const places = new Uint32Array(PLACES)
  let seed = 1
  for (let at = 0; at < PLACES; at += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    places[at] = seed % PLACES
  }
  const taken: number[] = []

  function walk(): number {
    let at = 0
    for (let step = 0; step < STEPS; step += 1) at = places[(at ^ step) % PLACES] ?? 0
    return at
  }

  walk()
  return {
    look() {
      const before = process.threadCpuUsage()
      walk()
      const { user, system } = process.threadCpuUsage(before)
      taken.push((user + system) / 1_000)
    },
    found: (): Pace => ({ least: Math.min(...taken), most: Math.max(...taken) }),
  }
}
