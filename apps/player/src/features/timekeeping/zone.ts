import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import type { PosixTz } from '@manara/posix-tz/posix-tz'

/** The zone of the rule string that is in force, read anew only when that changes. */
export function createZone(rule: () => string): () => PosixTz {
  let read = rule()
  let zone = parsePosixTz(read)
  return () => {
    if (read !== rule()) {
      read = rule()
      zone = parsePosixTz(read)
    }
    return zone
  }
}
