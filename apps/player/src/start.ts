import { createQueue } from '@manara/kit/queue'
import { endUnstarted, type Running } from '@manara/kit/service'
import type { Config } from './config.ts'
import { startBox } from './start-box.ts'

/** The box, and after a factory reset the same box again, in the same process and on the same port. */
export async function startPlayer(config: Config): Promise<Running> {
  let box = await startBox(config, renew)
  const renewals = createQueue()

  function renew() {
    renewals
      .run(async () => {
        await box.stop()
        box = await startBox({ ...config, port: box.port }, renew)
      })
      .catch((error) => endUnstarted('player', error))
  }

  return {
    banner: box.banner,
    async stop() {
      await renewals.idle()
      await box.stop()
    },
  }
}
