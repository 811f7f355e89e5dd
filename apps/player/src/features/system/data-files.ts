import { rmSync } from 'node:fs'
import path from 'node:path'

/**
 * Everything that the player writes into `PLAYER_DATA`, and what a factory reset does with it. What is
 * not named here is not the player's and is left alone: a card may be mounted there.
 */
export const DATA_FILES: Record<string, 'emptied' | 'removed' | 'kept'> = {
  // Overwritten table by table: erase-store.ts.
  'player.db': 'emptied',
  'player.db-wal': 'emptied',
  'player.db-shm': 'emptied',
  // What a worn disk had made of it: mend-store.ts.
  'player.db.damaged': 'removed',
  'player.db.damaged-wal': 'removed',
  // Certificates that phones of the old owner trust.
  'ca.key': 'removed',
  'ca.crt': 'removed',
  'tls.key': 'removed',
  'tls.crt': 'removed',
  // Own sounds for the adhan, and the recordings that were sent for them.
  sounds: 'removed',
  // The name under which the old house knows the box.
  'mqtt-id': 'removed',
  // What the box is at a security platform.
  soc: 'removed',
  // There only while a reset is under way: unfinished-reset.ts.
  'reset.token': 'kept',
  // The same on every box.
  'chime.wav': 'kept',
  // Versions and the keys they are signed with: the box must stay able to start and to be updated.
  updates: 'kept',
  // Of the running process.
  lock: 'kept',
  owner: 'kept',
  'nfc.sock': 'kept',
}

export function removeOwnersFiles(dataDir: string) {
  for (const [name, fate] of Object.entries(DATA_FILES)) {
    if (fate === 'removed') rmSync(path.join(dataDir, name), { recursive: true, force: true })
  }
}
