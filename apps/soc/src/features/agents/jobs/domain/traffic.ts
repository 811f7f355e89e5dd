const ENOUGH = 8
const STEADY = 0.2
const MOST_GAP_MS = 6 * 3_600_000
const MANY = 20
const BURST_MS = 5 * 60_000

/** Connections at even intervals: how long they are; undefined when they come as they like. */
export function beaconOf(times: number[]): { everyMs: number; count: number } | undefined {
  const sorted = [...new Set(times)].sort((a, b) => a - b)
  if (sorted.length < ENOUGH) return undefined
  const gaps = sorted.slice(1).map((at, index) => at - (sorted[index] as number))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
  if (mean < 1_000 || mean > MOST_GAP_MS || spread / mean > STEADY) return undefined
  return { everyMs: Math.round(mean), count: sorted.length }
}

export type Connection = { id: string; at: number; to: string; port: string | null }

/** Many addresses, or many ports of one, within five minutes. Oldest first in. */
export function scanOf(
  connections: Connection[],
): { what: 'hosts' | 'ports'; count: number; some: Connection[] } | undefined {
  let first = 0
  for (const [index, { at }] of connections.entries()) {
    while ((connections[first]?.at ?? at) <= at - BURST_MS) first += 1
    const some = connections.slice(first, index + 1)
    const hosts = new Set(some.map(({ to }) => to)).size
    if (hosts >= MANY) return { what: 'hosts', count: hosts, some }
    const ports = Map.groupBy(some, ({ to }) => to)
    for (const [, tried] of ports) {
      const count = new Set(tried.flatMap(({ port }) => port ?? [])).size
      if (count >= MANY) return { what: 'ports', count, some: tried }
    }
  }
  return undefined
}
