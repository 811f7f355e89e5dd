/** Seconds that the longest suites take on two idle cores; the others take about a second. */
const LONG: Record<string, number> = {}

/**
 * Groups of test files that take about as long as each other: the longest first, each to the group
 * that has least to do. The same files always make the same groups.
 */
export function splitSuites(files: string[], count: number): string[][] {
  const groups = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }))
  const secondsOf = (file: string) => LONG[file] ?? 1
  const byLength = [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))
  for (const file of byLength) {
    const group = groups.reduce((least, one) => (one.seconds < least.seconds ? one : least))
    group.seconds += secondsOf(file)
    group.files.push(file)
  }
  return groups.map(({ files }) => files.sort()).filter(({ length }) => length > 0)
}
