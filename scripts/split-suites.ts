/** The longest suites by the start of their path, in rough seconds; the others take one or two. */
const LONG: [start: string, seconds: number][] = [
  ['apps/player-web/src/flows/', 20],
  ['apps/player/src/adapters/embedded-audio', 25],
  ['apps/player/src/adapters/embedded/track', 8],
  ['apps/player/src/adapters/mpv-audio', 20],
  ['apps/player/src/day-of-use', 10],
  ['apps/player/src/features/ota/power-cuts', 10],
  ['apps/player/src/features/schedules/schedules.test', 10],
  ['apps/player/src/features/timekeeping/year-replay', 10],
  ['apps/player/src/launcher', 10],
  ['apps/player/src/main', 50],
  ['apps/player/src/tap', 6],
  ['apps/soc/src/adapters/clickhouse-logs', 25],
  ['apps/soc/src/adapters/duckdb-logs', 20],
  ['apps/soc/src/core/', 5],
  ['apps/soc/src/features/alerts/kill', 30],
  ['apps/soc/src/features/edr/kill', 10],
  ['apps/soc/src/features/playbooks/executions/kill', 16],
  ['apps/soc/src/features/siem/ingest/kill', 7],
  ['apps/soc/src/http/route-table', 10],
  ['apps/soc/src/main', 20],
  ['apps/soc/src/malformed-requests', 10],
  ['apps/soc/', 3],
  ['packages/posix-tz/src/glibc', 7],
  ['scripts/', 10],
]

/** Suites that listen to sound as it plays or look at pages as they are drawn: they want both cores. */
const QUIET = [
  'apps/player-web/src/flows/',
  'apps/player/src/adapters/embedded-audio',
  'apps/player/src/adapters/mpv-audio',
]

export const wantsQuiet = (file: string) => QUIET.some((start) => file.startsWith(start))

/**
 * Groups of test files that take about as long as each other: the longest first, each to the group
 * that has least to do. The same files always make the same groups.
 */
export function splitSuites(files: string[], count: number): string[][] {
  const groups = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }))
  const byLength = [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))
  for (const file of byLength) {
    const group = groups.reduce((least, one) => (one.seconds < least.seconds ? one : least))
    group.seconds += secondsOf(file)
    group.files.push(file)
  }
  return groups.map(({ files }) => files.sort()).filter(({ length }) => length > 0)
}

const secondsOf = (file: string) => LONG.find(([start]) => file.startsWith(start))?.[1] ?? 1
