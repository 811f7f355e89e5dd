/** The longest suites by the start of their path, in rough seconds; the others take one or two. */
const LONG: [start: string, seconds: number][] = [
  ['apps/player-web/src/flows/quality', 100],
  ['apps/player-web/src/flows/', 20],
  ['apps/player/src/adapters/pcsc-reader', 8],
  ['apps/player/src/adapters/embedded/track', 8],
  ['apps/player/src/day-of-use', 10],
  ['apps/player/src/features/ota/power-cuts', 10],
  ['apps/player/src/features/schedules/schedules.test', 10],
  ['apps/player/src/features/soc/tampered', 12],
  ['apps/player/src/features/timekeeping/year-replay', 10],
  ['apps/player/src/launcher', 10],
  ['apps/player/src/main', 60],
  ['apps/player/src/malformed-requests', 6],
  ['apps/player/src/tap', 7],
  ['apps/soc-web/src/flows/', 45],
  ['apps/soc/src/adapters/clickhouse-logs', 25],
  ['apps/soc/src/adapters/duckdb-logs', 20],
  ['apps/soc/src/api-document', 12],
  ['apps/soc/src/core/arrivals/three-processes', 15],
  ['apps/soc/src/core/', 5],
  ['apps/soc/src/features/agents/jobs/keeping', 23],
  ['apps/soc/src/features/agents/jobs/', 11],
  ['apps/soc/src/features/alerts/kill', 30],
  ['apps/soc/src/features/auth/', 12],
  ['apps/soc/src/features/cases/', 8],
  ['apps/soc/src/features/correlations/', 12],
  ['apps/soc/src/features/cps/', 8],
  ['apps/soc/src/features/detections/', 5],
  ['apps/soc/src/features/discovery/', 10],
  ['apps/soc/src/features/edr/', 12],
  ['apps/soc/src/features/firmware/', 13],
  ['apps/soc/src/features/iocs/kill', 13],
  ['apps/soc/src/features/playbooks/executions/kill', 15],
  ['apps/soc/src/features/reports/pdf', 10],
  ['apps/soc/src/features/siem/ingest/', 10],
  ['apps/soc/src/features/users/', 15],
  ['apps/soc/src/http/route-table', 15],
  ['apps/soc/src/main', 30],
  ['apps/soc/src/malformed-requests', 11],
  ['apps/soc/', 3],
  ['packages/kit/src/data-dir', 15],
  ['packages/posix-tz/src/glibc', 8],
  ['scripts/', 10],
]

/** Suites that listen to sound as it plays: they mostly wait, so they run beside all the others. */
const SOUND = ['apps/player/src/adapters/embedded-audio', 'apps/player/src/adapters/mpv-audio']

/** Suites that look at pages as they are drawn: they come last, when less else goes on. */
const PAGES = ['apps/player-web/src/flows/']

/** What runs at the same time, one round after the other. */
export function planRounds(files: string[], cores: number): string[][][] {
  const sound = files.filter((file) => isOf(SOUND, file))
  const pages = files.filter((file) => isOf(PAGES, file))
  const others = files.filter((file) => !isOf([...SOUND, ...PAGES], file))
  return [[...splitSuites(others, cores), ...splitSuites(sound, 1)], splitSuites(pages, cores)]
}

const isOf = (starts: string[], file: string) => starts.some((start) => file.startsWith(start))

/**
 * Groups of test files that take about as long as each other: the longest first, each to the group
 * that has least to do. The same files always make the same groups.
 */
function splitSuites(files: string[], count: number): string[][] {
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
