import fs, { createReadStream } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { cutDisk } from './cut-disk.ts'

/**
 * One update from the first byte to its end, in a process that dies at a chosen change of the disk:
 * `cut-update.ts UPDATES STORE IMAGE KEYS VERSION-THAT-RUNS good|bad CHANGE`. Prints where it was cut.
 */
enableCompileCache()
const [updates = '', storeFile = '', image = '', keysFile = '', running = '', fate, at] =
  process.argv.slice(2)
// Taken before it is counted, and waited for: the process may end right after.
const print = fs.writeSync
let during = 'receiving'
const disk = cutDisk(Number(at), (change) => tell({ during, change }))
const [
  { bootOnce },
  { createConfirmation },
  { openSlots },
  { openTrustedKeys },
  { createUpdater },
] = await Promise.all([
  import('../boot-once.ts'),
  import('../confirm-update.ts'),
  import('../slots.ts'),
  import('../trusted-keys.ts'),
  import('../updater.ts'),
])

const slots = openSlots(updates, '')
const keys = openTrustedKeys(keysFile, slots.addedKeys)
const log = { info() {}, warn() {}, error() {} }
const clock = {
  now: () => 0,
  monotonic: () => 0,
  after: () => () => {},
  every: () => () => {},
}

const updater = createUpdater({
  ...{ slots, clock, log, slot: 'factory' as const },
  keys: keys.all,
  host: { version: running, platform: 'any', limit: { packed: 2 ** 24, unpacked: 2 ** 24 } },
  source: { open: () => Promise.reject(new Error('not used')) },
  restart() {},
  onChange: ({ status }) => {
    during = status
  },
})
slots.clearLeftovers()
await updater.upload(createReadStream(image), undefined, false)
during = 'first boot'
const slot = bootOnce(slots, storeFile)
// What a new version does first: it changes the store so that the old one could not use it.
const store = new DatabaseSync(storeFile)
store.prepare("INSERT INTO state (value) VALUES ('of the new version')").run()
store.close()

during = fate === 'good' ? 'marking as good' : 'rolling back'
const confirmation = createConfirmation({
  ...{ slots, slot, keys, log, afterMs: 0 },
  clock: {
    after(_ms, run) {
      run()
      return () => {}
    },
  },
  whyUnwell: async () => (fate === 'good' ? undefined : 'made to fail'),
  onProven() {},
  restart() {},
})
confirmation.start()
await confirmation.settled()
bootOnce(slots, storeFile)
tell({ changes: disk.changes() })

function tell(what: object) {
  print(1, JSON.stringify(what))
}
