const MOST = 3

/** Names that somebody may have meant: few letters apart, or the same last part of the path. */
export function nearestNames(name: string, known: Iterable<string>): string[] {
  const wanted = name.toLowerCase()
  const tail = lastPart(wanted)
  const most = Math.max(1, Math.floor(wanted.length / 4))
  const near: { name: string; distance: number }[] = []
  for (const candidate of known) {
    const folded = candidate.toLowerCase()
    if (Math.abs(folded.length - wanted.length) <= most) {
      const distance = editDistance(wanted, folded, most)
      if (distance <= most) near.push({ name: candidate, distance })
    } else if (tail.length > 3 && lastPart(folded) === tail) {
      near.push({ name: candidate, distance: most + 1 })
    }
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return near.slice(0, MOST).map((one) => one.name)
}

const lastPart = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/** How many letters must change, up to `most`; beyond that some larger number. */
function editDistance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length] ?? most + 1
}
