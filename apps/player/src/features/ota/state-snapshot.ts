import {
  chmodSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { syncToDisk } from '@manara/kit/write-durably'
import { isNoRoom } from '../../db/mend-store.ts'

/** A copy of the state store that is whole, with everything its log still held. The service is down. */
export function keepSnapshot(storeFile: string, snapshotFile: string) {
  // Beside an empty store SQLite would delete the log, which the start still reads.
  if (!statSync(storeFile, { throwIfNoEntry: false })?.size) return
  const draft = `${snapshotFile}.new`
  rmSync(draft, { force: true })
  // Empty and private before the content comes: the device token is in it.
  writeFileSync(draft, '', { mode: 0o600 })
  const store = new DatabaseSync(storeFile)
  try {
    store.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`)
  } finally {
    store.close()
  }
  syncToDisk(draft)
  renameSync(draft, snapshotFile)
  syncToDisk(path.dirname(snapshotFile))
}

/**
 * May be cut anywhere and repeated: the snapshot stays until the roll-back is on record, or becomes the
 * store itself where there is no room for both.
 */
export function restoreSnapshot(snapshotFile: string, storeFile: string) {
  if (!existsSync(snapshotFile)) return
  const restored = copyOf(snapshotFile, `${storeFile}.new`) ?? snapshotFile
  // The log goes first: SQLite would replay it into the restored store.
  for (const ending of ['-wal', '-shm']) rmSync(storeFile + ending, { force: true })
  renameSync(restored, storeFile)
  syncToDisk(path.dirname(storeFile))
}

/** Undefined where it does not fit. */
function copyOf(file: string, copy: string): string | undefined {
  try {
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
    syncToDisk(copy)
    return copy
  } catch (error) {
    rmSync(copy, { force: true })
    if (!isNoRoom(error)) throw error
  }
}
