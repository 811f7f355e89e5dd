/** The longest suites by the start of their path, in rough seconds of a core; the others take one or two. */
const LONG: [start: string, seconds: number][] = [
  ['apps/player-web/src/flows/quality', 50],
  ['apps/player-web/src/flows/', 20],
  ['apps/player/src/adapters/pcsc-reader', 5],
  ['apps/player/src/adapters/embedded/track', 9],
  ['apps/player/src/day-of-use', 5],
  ['apps/player/src/features/library/verses/', 5],
  ['apps/player/src/features/ota/', 9],
  ['apps/player/src/features/playback/playback', 9],
  ['apps/player/src/features/schedules/schedules.test', 5],
  ['apps/player/src/features/soc/tampered', 11],
  ['apps/player/src/features/timekeeping/year-replay', 13],
  ['apps/player/src/http/hostile-sockets', 5],
  ['apps/player/src/launcher', 10],
  ['apps/player/src/main', 15],
  ['apps/player/src/malformed-requests', 6],
  ['apps/soc-web/src/flows/', 45],
  ['apps/soc/src/adapters/clickhouse-logs.', 25],
  ['apps/soc/src/adapters/duckdb-logs.crash', 30],
  ['apps/soc/src/adapters/duckdb-logs.', 15],
  ['apps/soc/src/adapters/duckdb-logs/fold', 8],
  ['apps/soc/src/api-document', 18],
  ['apps/soc/src/core/arrivals/three-processes', 15],
  ['apps/soc/src/core/mode/database-away', 11],
  ['apps/soc/src/features/agents/investigation/investigation', 16],
  ['apps/soc/src/features/agents/jobs/alerts', 16],
  ['apps/soc/src/features/agents/jobs/keeping', 19],
  ['apps/soc/src/features/agents/', 9],
  ['apps/soc/src/features/alerts/kill', 15],
  ['apps/soc/src/features/approvals/approvals', 7],
  ['apps/soc/src/features/audit/proofs', 8],
  ['apps/soc/src/features/auth/domain/', 1],
  ['apps/soc/src/features/auth/', 10],
  ['apps/soc/src/features/cases/evidence/proofs', 7],
  ['apps/soc/src/features/chat/chat', 8],
  ['apps/soc/src/features/correlations/correlations', 13],
  ['apps/soc/src/features/demonstration/', 13],
  ['apps/soc/src/features/detections/content', 8],
  ['apps/soc/src/features/detections/stream/agreement', 8],
  ['apps/soc/src/features/detections/stream/stream', 12],
  ['apps/soc/src/features/detections/', 4],
  ['apps/soc/src/features/discovery/', 8],
  ['apps/soc/src/features/edr/', 10],
  ['apps/soc/src/features/firmware/', 10],
  ['apps/soc/src/features/iocs/kill', 8],
  ['apps/soc/src/features/mcp/conformance', 7],
  ['apps/soc/src/features/playbooks/executions/claim/take-over', 8],
  ['apps/soc/src/features/playbooks/executions/contain', 8],
  ['apps/soc/src/features/playbooks/executions/kill', 13],
  ['apps/soc/src/features/reports/pdf', 10],
  ['apps/soc/src/features/reports/reports', 12],
  ['apps/soc/src/features/secrets/secrets-leave', 7],
  ['apps/soc/src/features/siem/ingest/native/ingest', 20],
  ['apps/soc/src/features/siem/ingest/', 8],
  ['apps/soc/src/features/siem/parsers/parsers', 14],
  ['apps/soc/src/features/siem/sources/sources', 7],
  ['apps/soc/src/features/tools/tools', 8],
  ['apps/soc/src/features/users/', 10],
  ['apps/soc/src/file-modes', 8],
  ['apps/soc/src/full-disk', 6],
  ['apps/soc/src/http/route-table', 15],
  ['apps/soc/src/main', 15],
  ['apps/soc/src/malformed-requests', 6],
  ['apps/soc/src/memory', 15],
  ['apps/soc/', 2],
  ['packages/kit/src/data-dir', 3],
  ['packages/posix-tz/src/glibc', 8],
  ['scripts/', 8],
]

/** Suites that listen to sound as it plays: they mostly wait, so they run beside all the others. */
const SOUND = [
  'apps/player/src/adapters/embedded-audio',
  'apps/player/src/adapters/mpv-audio',
  'apps/player/src/features/playback/drill',
]

/** They start a service before their tests, which would run from the first test of a group to the last. */
const ALONE = ['/flows/', '/clickhouse-logs.']

/**
 * The parts of the work that the lanes share in turn. Each group loads the services and starts a
 * database anew, so that the first are long; the last are short, so that all lanes end together.
 */
const ROUNDS = [1 / 2, 1 / 4, 1 / 8, 1 / 8]
/** Less than so many seconds of a core are one round. */
const FEW_SECONDS = 600

/**
 * How many groups run at the same time. There are more than cores: a suite waits for a disk, a process
 * or a timer for a third of its time, and another one can work meanwhile.
 */
export const lanesOf = (cores: number) => cores + Math.ceil(cores / 2)

/** What runs in one process: the long groups first, then what runs alone, then what is heard. */
export function planGroups(files: string[], cores: number): string[][] {
  const sound = files.filter(isSound)
  const alone = files.filter(isAlone)
  const others = files.filter((file) => !isSound(file) && !isAlone(file))
  const rounds = secondsOfAll(others) < FEW_SECONDS ? [1] : ROUNDS
  const shares = rounds.flatMap((share) => Array<number>(lanesOf(cores)).fill(share))
  return [
    ...splitSuites(others, shares),
    ...splitSuites(alone, Array(alone.length).fill(1)),
    ...splitSuites(sound, [1]),
  ]
}

export const isAlone = (file: string) => ALONE.some((part) => file.includes(part))

/** What plays must not wait for a core. */
export const isHeard = (files: string[]) => files.every(isSound)

const isSound = (file: string) => SOUND.some((start) => file.startsWith(start))

/**
 * Groups of test files of which each has its share of the work: the longest files first, each to the
 * group that lacks most. The same files always make the same groups.
 */
function splitSuites(files: string[], shares: number[]): string[][] {
  const unit = secondsOfAll(files) / shares.reduce((sum, share) => sum + share, 0)
  const groups = shares.map((share) => ({ lacks: share * unit, files: [] as string[] }))
  const byLength = [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))
  for (const file of byLength) {
    const group = groups.reduce((most, one) => (one.lacks > most.lacks ? one : most))
    group.lacks -= secondsOf(file)
    group.files.push(file)
  }
  return groups.map(({ files }) => files.sort()).filter(({ length }) => length > 0)
}

const secondsOf = (file: string) => LONG.find(([start]) => file.startsWith(start))?.[1] ?? 1

const secondsOfAll = (files: string[]) => files.reduce((sum, file) => sum + secondsOf(file), 0)
