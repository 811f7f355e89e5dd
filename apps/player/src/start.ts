import { createQueue } from '@manara/kit/queue'
import type { Running } from '@manara/kit/service'
import type { Config } from './config.ts'
import { openStore } from './db/open-store.ts'
import { removeOwnersFiles } from './features/system/data-files.ts'
import { eraseStore } from './features/system/erase-store.ts'
import { startBox } from './start-box.ts'

/** The box, and after a factory reset the same box again, in the same process and on the same port. */
export async function startPlayer(config: Config): Promise<Running> {
  let box = await startBox(config, renew)
  const renewals = createQueue()

  function renew(token: string) {
    void renewals.run(async () => {
      await box.stop()
      const db = openStore(config.dataDir)
      // Once more: what was still in memory may have been written while everything stopped.
      eraseStore(db, token)
      db.close()
      removeOwnersFiles(config.dataDir)
      box = await startBox({ ...config, port: box.port }, renew)
    })
  }

  return {
    banner: box.banner,
    async stop() {
      await renewals.idle()
      await box.stop()
    },
  }
}
