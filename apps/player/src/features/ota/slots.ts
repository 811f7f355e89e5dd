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
  const recordFile = path.join(updatesDir, 'boot.json')
  const at = (name: string) => path.join(updatesDir, name)
  const dir = (slot: Slot) => (slot === 'factory' ? factoryDir : at(`slots/${slot}`))

  function readRecord(): BootRecord {
    try {
      return BootRecord.parse(JSON.parse(readFileSync(recordFile, 'utf8')))
    } catch {
      // Without a record, or with one that the disk has spoilt, the box is as it was set up.
      return BootRecord.parse({})
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
    readRecord,
    writeRecord: (record: BootRecord) =>
      writeDurably(recordFile, `${JSON.stringify(record, null, 2)}\n`, 0o600),

    isWhole: (slot: Slot) =>
      slot === 'factory' ||
      (existsSync(path.join(dir(slot), 'manifest.json')) &&
        existsSync(path.join(dir(slot), ENTRY))),

    /** What a power cut left half-way is worth nothing. */
    clearLeftovers() {
      const isPending = readRecord().pending !== null
      const leftovers = ['incoming.img', 'slots/a.staging', 'slots/b.staging', 'boot.json.new']
      for (const name of isPending ? leftovers : [...leftovers, 'snapshot.db', 'snapshot.db.new']) {
        rmSync(at(name), { recursive: true, force: true })
      }
    },
  }
}
