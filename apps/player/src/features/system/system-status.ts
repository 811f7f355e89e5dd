import { statfsSync } from 'node:fs'
import type { SystemStatus } from '@manara/player-contract/system'
import type { Db } from '../../db/open-store.ts'
import type { AudioOutput } from '../../ports/audio-output.ts'
import type { Board } from '../../ports/board.ts'
import type { NfcReader } from '../../ports/nfc-reader.ts'
import type { Panel } from '../../ports/screen.ts'
import type { SoundOutputs } from '../../ports/sound-outputs.ts'
import type { WallClock } from '../../ports/wall-clock.ts'
import type { Problems } from './problems.ts'

export type SystemDeps = {
  version: string
  db: Db
  dataDir: string
  problems: Pick<Problems, 'all'>
  audio: Pick<AudioOutput, 'engine' | 'sink'>
  outputs: SoundOutputs
  board: Pick<Board, 'name'>
  wall: Pick<WallClock, 'source'>
  cardPresent(): boolean
  socState(): 'off' | 'connected' | 'away'
  reader: Pick<NfcReader, 'status'>
  panel: Pick<Panel, 'name'> | undefined
  /** Seconds since the service started. */
  uptime(): number
}

export function systemStatus(deps: SystemDeps): SystemStatus {
  return {
    version: deps.version,
    uptime: Math.floor(deps.uptime()),
    free_heap: process.availableMemory(),
    nvs: storePages(deps.db, deps.dataDir),
    boot_failures: deps.problems.all(),
    audio: {
      engine: deps.audio.engine,
      sink: deps.audio.sink,
      outputs: deps.outputs.known(),
    },
    board: deps.board.name,
    card_present: deps.cardPresent(),
    reader: deps.reader.status(),
    screen: deps.panel?.name ?? '',
    time_source: deps.wall.source(),
    soc: deps.socState(),
  }
}

/** The contract's NVS is a table of entries; ours is a file of pages on a disk with room for more. */
function storePages(db: Db, dataDir: string): SystemStatus['nvs'] {
  const pragma = (name: string) => db.prepare(`PRAGMA ${name}`).get()?.[name] as number
  const entry_bytes = pragma('page_size')
  const used = pragma('page_count') - pragma('freelist_count')
  const disk = statfsSync(dataDir)
  const free = pragma('freelist_count') + Math.floor((disk.bavail * disk.bsize) / entry_bytes)
  return { used_entries: used, free_entries: free, total_entries: used + free, entry_bytes }
}
