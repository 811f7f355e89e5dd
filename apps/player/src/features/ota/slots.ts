import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '@manara/kit/write-durably'
import { BootRecord, type Slot } from '@manara/player-contract/firmware'

export type Slots = ReturnType<typeof openSlots>

/** What a version is started by, from its own folder. */
export const ENTRY = 'apps/player/src/main.ts'

/**
 * The folder of updates: two slots, what is on its way into one of them, and the record of which
 * one runs. The version the box was set up with is the third, and is never written to.
 */
export function openSlots(updatesDir: string, factoryDir: string) {
  const at = (name: string) => path.join(updatesDir, name)
  const recordFile = at('boot.json')
  const copyFile = at('boot.copy.json')
  const dir = (slot: Slot) => (slot === 'factory' ? factoryDir : at(`slots/${slot}`))

  /** Without a record, which may be removed by hand, the box is as it was set up. */
  function readRecord(): BootRecord {
    const files = existsSync(recordFile) ? [recordFile, copyFile] : []
    for (const file of files) {
      try {
        const written = JSON.parse(readFileSync(file, 'utf8'))
        // Every field has a default: where the name of this one is spoilt, nobody would notice.
        if (written.active !== undefined) return BootRecord.parse(written)
      } catch {
        // The disk has spoilt it.
      }
    }
    return BootRecord.parse({})
  }

  /** The first is the switch; where it stands, a copy that could not be written matters to nobody. */
  function writeRecord(record: BootRecord) {
    const text = `${JSON.stringify(record, null, 2)}\n`
    writeDurably(recordFile, text, 0o600)
    try {
      writeDurably(copyFile, text, 0o600)
    } catch {
      rmSync(copyFile, { force: true })
    }
  }

  return {
    updatesDir,
    dir,
    staging: (slot: Slot) => at(`slots/${slot}.staging`),
    /** What the slot was unpacked from, and how that is known: to mend it by. */
    archive: (slot: Slot) => at(`slots/${slot}.img`),
    seal: (slot: Slot) => at(`slots/${slot}.json`),
    incoming: at('incoming.img'),
    snapshot: at('snapshot.db'),
    addedKeys: at('added-keys.pem'),
    ...{ readRecord, writeRecord },

    isWhole: (slot: Slot) =>
      slot === 'factory' ||
      (existsSync(path.join(dir(slot), 'manifest.json')) &&
        existsSync(path.join(dir(slot), ENTRY))),

    /** All that an update has brought. */
    drop(slot: 'a' | 'b') {
      for (const name of [slot, `${slot}.img`, `${slot}.json`])
        rmSync(at(`slots/${name}`), { recursive: true, force: true })
    },

    /** What a power cut left half-way is worth nothing. */
    clearLeftovers() {
      const isPending = readRecord().pending !== null
      const drafts = ['boot.json.new', 'boot.copy.json.new']
      const leftovers = ['incoming.img', 'slots/a.staging', 'slots/b.staging', ...drafts]
      for (const name of isPending ? leftovers : [...leftovers, 'snapshot.db', 'snapshot.db.new']) {
        rmSync(at(name), { recursive: true, force: true })
      }
    },
  }
}
