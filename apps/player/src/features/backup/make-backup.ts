import { createHash } from 'node:crypto'
import { BACKUP_FORMAT, type Backup } from '@manara/player-contract/backup'
import { MIGRATIONS } from '../../db/migrations.ts'
import type { Db } from '../../db/open-store.ts'
import type { WallClock } from '../../ports/wall-clock.ts'
import { COPIED } from './domain/copied.ts'
import { packSounds } from './own-sounds.ts'
import { readTable } from './tables.ts'

export type Origin = {
  db: Db
  version: string
  wall: Pick<WallClock, 'now' | 'isSet'>
  soundFolder: string
  /** Names of own sounds that are chosen for prayers. */
  chosenSounds(): string[]
}

/** All that its owner has put into the box, as it is on disk now. */
export async function makeBackup(origin: Origin): Promise<Backup> {
  const { db, version, wall } = origin
  const own = await packSounds(origin.soundFolder, origin.chosenSounds())
  const tables = Object.fromEntries(COPIED.map((name) => [name, readTable(db, name)]))
  return {
    format: BACKUP_FORMAT,
    version,
    store: MIGRATIONS.length,
    made_at: wall.isSet() ? new Date(wall.now()).toISOString() : null,
    digest: digestOf(tables),
    tables,
    ...own,
  }
}

export const digestOf = (tables: Backup['tables']) =>
  createHash('sha256').update(JSON.stringify(tables)).digest('hex')
