import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import type { Damages } from './damages.ts'
import type { Database, Partition } from './database.ts'

/** An entry is its size and checksum, eight bytes each, and then what the engine gives the place of. */
const ENTRY_HEADER = 16
const CORRUPT_ENTRY = /Corrupt WAL file: entry at byte position (\d+)/
const CORRUPT_LOG = /WAL/
const CORRUPT_FILE =
  /Corrupt database file|not a valid DuckDB database|file is too short|Could not read enough bytes|does not exist/i

export type Recovered = { partition: Partition | undefined; reason: string | undefined }

/**
 * Opens a partition with all that can be read of it. A write-ahead log is replayed up to its last
 * whole entry, and the log as it was is kept aside; a file that is damaged itself is kept aside and
 * left out. Throws what is no damage, such as a file that may not be read.
 */
export async function attachOrRecover(
  database: Database,
  damages: Damages,
  directory: string,
  name: string,
): Promise<Recovered> {
  const file = path.join(directory, `${name}.duckdb`)
  const log = `${file}.wal`
  let reason: string | undefined
  for (;;) {
    try {
      const partition = await database.attach(name)
      // A log of nothing but zeros is passed over without a word, and with it the tables.
      await database.ensureTables(partition)
      return { partition, reason }
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      await database.detach(name)
      if (existsSync(log) && CORRUPT_LOG.test(text)) {
        reason ??= `the write-ahead log of ${name}.duckdb is damaged: ${text}`
        if (cutLog(log, damages, text)) continue
      }
      if (!CORRUPT_FILE.test(text)) throw error
      setAside(damages, [file, log])
      return { partition: undefined, reason: `${name}.duckdb is damaged: ${text}` }
    }
  }
}

/** False when there is nothing left to cut. */
function cutLog(log: string, damages: Damages, text: string): boolean {
  const { size } = statSync(log)
  if (size === 0) return false
  copyFileSync(log, damages.placeFor(path.basename(log)))
  const entry = Number(CORRUPT_ENTRY.exec(text)?.[1] ?? 0) - ENTRY_HEADER
  // Without the place of an entry nothing of it can be trusted.
  if (entry > 0 && entry < size) truncateSync(log, entry)
  else rmSync(log)
  return true
}

function setAside(damages: Damages, files: string[]) {
  for (const file of files) {
    if (existsSync(file)) renameSync(file, damages.placeFor(path.basename(file)))
  }
}

/** Keeps the log as it is now: what is missing from it may be worth a closer look. */
export function keepLogAside(damages: Damages, directory: string, name: string) {
  const log = path.join(directory, `${name}.duckdb.wal`)
  if (existsSync(log)) copyFileSync(log, damages.placeFor(path.basename(log)))
}
