import { type AppError, unavailable } from '@manara/kit/errors'

const SIGN_IN = 'lets nobody in as that user: see the user and the password in CLICKHOUSE_URL'
const RIGHTS = 'gives its user too few rights: grant it reading, writing and making tables'
const READS =
  'only reads: let the user of CLICKHOUSE_URL make changes and set how its statements run'

const REFUSALS: Record<string, string> = {
  81: 'has no such database: create it, or mend CLICKHOUSE_URL',
  164: READS,
  192: SIGN_IN,
  193: SIGN_IN,
  194: SIGN_IN,
  201: 'has used up the quota of its user: raise it, or wait',
  202: 'has too many statements at once: try again shortly, or raise max_concurrent_queries',
  241: 'has too little memory for this: ask for less time',
  242: READS,
  252: 'does not come to merge what was written: look at its disk and system.merges',
  291: RIGHTS,
  497: RIGHTS,
  516: SIGN_IN,
}
const FULL_DISK = '243'
/** As the operating system says it, under the code of whatever was being written. */
const NO_ROOM = /errno: 28\b|No space left on device/

/** What the operator can mend; nothing of a statement that is wrong, which is a bug of ours. */
export function whyRefused(code: string, error: Error, name: string): AppError | undefined {
  if (code === FULL_DISK || NO_ROOM.test(error.message)) {
    return unavailable(`the disk of ClickHouse at ${name} is full: make room on it`, error)
  }
  const why = REFUSALS[code]
  return why === undefined ? undefined : unavailable(`ClickHouse at ${name} ${why}`, error)
}
